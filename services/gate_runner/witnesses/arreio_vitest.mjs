// A reporter of vitest: signs the results once vitest has them all.
import book from './arreio_book.cjs';

function* casesOf(file, task, titles) {
  if (task.type === 'suite') {
    for (const one of task.tasks) yield* casesOf(file, one, task.filepath ? [] : [...titles, task.name]);
    const error = task.result?.errors?.[0];
    // A file without a test has none that failed.
    const empty = task.filepath && /^No test suite found in file/.test(error?.message || '');
    if (error && !empty) yield [book.named(file, [...titles, task.filepath ? '(the file)' : task.name]), 'failed', book.why(error.message)];
    return;
  }
  const state = task.result?.state;
  const how = state === 'pass' ? 'passed' : state === 'fail' ? 'failed' : task.mode === 'run' ? 'failed' : 'skipped';
  const error = task.result?.errors?.[0];
  yield [book.named(file, [...titles, task.name]), state === 'skip' ? 'skipped' : how, book.why(error?.message ?? 'it was never run')];
}

export default class {
  session = book.open();
  begun = false;

  constructor() {
    // Before vitest 3, where no file of tests is found, no reporter hears of an end.
    process.on('exit', () => this.begun || this.sign([], []));
  }

  onPathsCollected() {
    this.begun = true;
  }

  onTestRunStart() {
    this.begun = true;
  }

  // Before vitest 3.
  onFinished(files, errors) {
    this.sign(files ?? [], errors ?? []);
  }

  onTestRunEnd(modules, errors) {
    this.sign(modules.map((one) => one.task), errors ?? []);
  }

  sign(files, errors) {
    const cases = files.flatMap((file) => [...casesOf(file.filepath, file, [])]);
    for (const error of errors) cases.push(['(outside of a test)', 'failed', book.why(error.message)]);
    this.session.sign(cases, []);
  }
}
