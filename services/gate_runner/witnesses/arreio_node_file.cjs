// Loaded before each file of `node --test`: a file whose process was ended by the code under test leaves its mark.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const TEST_FILE = /(?:^|[\\/])(?:tests?|__tests__|spec|specs)[\\/]|[._-](?:test|spec)\.|(?:^|[\\/])test[.-]/;

// What a test starts is not ours to report on, and the tests need not know where reports lie.
function hide(place) {
  const options = (process.env.NODE_OPTIONS || '').split(' ');
  const theirs = options.filter((option) => !option.includes(place) && !option.startsWith('--test-reporter'));
  process.env.NODE_OPTIONS = theirs.join(' ').replace(/(?:^| )--require$/, '');
  delete require.cache[__filename];
}

function guard() {
  const place = path.dirname(__dirname);
  hide(place);
  const mark = path.join(place, `${process.pid}.open`);
  const file = process.argv[1] || '?';
  const { renameSync, writeFileSync, unlinkSync } = fs;
  const top = process.cwd() + path.sep;
  let ended = false;
  let left = false;
  let done = false;

  const caller = () => {
    const frames = (new Error().stack || '').split('\n').slice(1);
    const places = frames.map((frame) => /\(?((?:file:\/\/)?\/[^():]+):\d+:\d+\)?$/.exec(frame));
    const found = places.filter(Boolean).map((place) => place[1].replace('file://', ''));
    return found.find((name) => name !== __filename);
  };
  const ours = (name) => name && name.startsWith(top) && !name.includes('node_modules') && !TEST_FILE.test(name.slice(top.length));

  writeFileSync(mark, `${path.relative(top, file)} was ended before its tests were done`);
  const exit = process.exit;
  process.exit = function (code) {
    const name = caller();
    left = true;
    // A hook of the runner's own, such as `after`, comes when tests are done.
    done = done || /\bTestHook\b/.test(new Error().stack || '');
    if (ours(name)) {
      ended = true;
      writeFileSync(mark, `${path.relative(top, name)} ended the process of ${path.relative(top, file)}`);
    }
    return exit.call(process, code);
  };
  process.on('exit', () => {
    if (ended) return;
    if (!left) return unlinkSync(mark);
    // A test file may leave once its tests are done: the reporter knows whether they were.
    writeFileSync(mark, path.resolve(file));
    renameSync(mark, path.join(place, `${process.pid}.${done ? 'done' : 'left'}`));
  });
}

if (process.env.NODE_TEST_CONTEXT) guard();
