// Tells that a runner of tests was started in a process of node, whatever started it: a file `PID.runner` says so.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const PLACE = path.dirname(__dirname);
const RUNNERS = /[\\/]node_modules[\\/](?:jest|jest-cli|@jest|vitest|mocha|ava|tap|jasmine|karma|uvu|@playwright[\\/]test|cypress)[\\/]/;

function tell(name) {
  try {
    fs.writeFileSync(path.join(PLACE, `${process.pid}.runner`), name);
  } catch {
    // Nobody is told then.
  }
}

function program() {
  try {
    return fs.realpathSync(process.argv[1]);
  } catch {
    return process.argv[1] || '';
  }
}

if (process.execArgv.includes('--test') || process.env.NODE_TEST_CONTEXT) tell('node --test');
else if (RUNNERS.test(program())) tell(path.basename(program()));
else {
  process.on('exit', () => {
    if ((process.moduleLoadList || []).some((one) => /^NativeModule internal\/test_runner\/(?:test|harness|runner)$/.test(one))) tell('node:test');
    else if (process.env.VITEST || process.env.JEST_WORKER_ID) tell('jest or vitest');
    else if (Object.keys(require.cache).some((file) => RUNNERS.test(file))) tell('a runner of node_modules');
  });
}
