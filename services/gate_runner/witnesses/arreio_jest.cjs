// A reporter of jest: signs the results once jest has them all.
'use strict';
const book = require('./arreio_book.cjs');

const SKIPPED = ['pending', 'skipped', 'todo', 'disabled'];

module.exports = class {
  constructor() {
    this.session = book.open();
  }

  onRunComplete(_, results) {
    const cases = [];
    for (const file of results.testResults) {
      for (const { ancestorTitles, title, status, failureMessages } of file.testResults) {
        const how = status === 'passed' ? 'passed' : SKIPPED.includes(status) ? 'skipped' : 'failed';
        cases.push([book.named(file.testFilePath, [...ancestorTitles, title]), how, book.why(failureMessages?.[0])]);
      }
      const broken = file.testExecError || (file.failureMessage && !file.numFailingTests);
      // A file without a test has none that failed.
      const empty = /test suite must contain at least one test/.test(file.failureMessage || '');
      if (broken && !empty) cases.push([book.named(file.testFilePath, ['(the file)']), 'failed', book.why(file.failureMessage)]);
    }
    const left = results.numTotalTestSuites - results.testResults.length;
    const failed = cases.some(([, how]) => how === 'failed');
    this.session.sign(cases, left > 0 && !failed ? [`${left} files of tests were never run`] : []);
  }
};
