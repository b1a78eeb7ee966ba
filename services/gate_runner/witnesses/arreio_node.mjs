// A reporter of node's own test runner: counts tests as they end, in the process that runs no test itself.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import book from './arreio_book.cjs';

const place = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const session = book.open();

function begun() {
  const marks = fs.readdirSync(place).filter((name) => name.endsWith('.open'));
  return marks.map((name) => fs.readFileSync(path.join(place, name), 'utf8'));
}

function why(error) {
  const cause = error?.cause ?? error;
  return book.why(cause?.message ?? cause);
}

export default async function* report(source) {
  const cases = [];
  const open = [];
  let deepest = 0;
  for await (const { type, data } of source) {
    if (type === 'test:start') {
      open.length = data.nesting;
      open[data.nesting] = data.name;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const holds = deepest > data.nesting || data.details?.type === 'suite';
    deepest = data.nesting;
    const error = data.details?.error;
    if (holds && (type === 'test:pass' || error?.failureType === 'subtestsFailed')) continue;
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const how = skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    const titles = data.name === data.file ? [] : [...open.slice(0, data.nesting), data.name];
    cases.push([book.named(data.file ?? data.name, titles), how, why(error)]);
  }
  session.sign(cases, begun());
}
