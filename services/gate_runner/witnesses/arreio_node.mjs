// A reporter of node's own test runner: counts tests as they end, in the process that runs no test itself.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import book from './arreio_book.cjs';

const place = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const session = book.open();

function marks(ending) {
  const names = fs.readdirSync(place).filter((name) => name.endsWith(ending));
  return names.map((name) => fs.readFileSync(path.join(place, name), 'utf8'));
}

// A file that passed by itself, none of its tests having been heard of: 'counted' where it is a script that is its own
// test, 'left' where it ended its process before its tests were done, else 'none': it has no test.
function fileAlone(file) {
  let text = '';
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch {
    return 'counted';
  }
  if (marks('.done').includes(file)) return 'counted';
  if (/['"`]node:test['"`]/.test(text)) return marks('.left').includes(file) ? 'left' : 'none';
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|^#!.*/g, '').trim() ? 'counted' : 'none';
}

function why(error) {
  const cause = error?.cause ?? error;
  return book.why(cause?.message ?? cause);
}

export default async function* report(source) {
  const cases = [];
  const odd = [];
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
    const alone = data.file && path.resolve(data.name) === data.file;
    if (alone && type === 'test:pass') {
      const how = fileAlone(data.file);
      if (how === 'left') odd.push(`${path.basename(data.file)} ended its own process before its tests were done`);
      if (how !== 'counted') continue;
    }
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const how = skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    const titles = alone ? [] : [...open.slice(0, data.nesting), data.name];
    cases.push([book.named(data.file ?? data.name, titles), how, why(error)]);
  }
  session.sign(cases, [...marks('.open'), ...odd]);
}
