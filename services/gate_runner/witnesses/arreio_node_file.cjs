// Loaded before each file of `node --test`: a file whose process was ended by the code under test leaves its mark.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { anatomy } = require('./arreio_anatomy.cjs');

const TEST_FILE = /(?:^|[\\/])(?:tests?|__tests__|spec|specs)[\\/]|[._-](?:test|spec)\.|(?:^|[\\/])test[.-]/;

// Libraries that assert, and a claim of each that is false.
const ASSERTING = {
  assert: [(lib) => lib.equal(1, 2)],
  chai: [(lib) => lib.expect(1).to.equal(2), (lib) => lib.assert.equal(1, 2)],
  expect: [(lib) => (lib.expect || lib)(1).toBe(2)],
  'expect.js': [(lib) => lib(1).to.be(2)],
  must: [(lib) => lib(1).must.equal(2), (lib) => lib(1).equal(2)],
  'power-assert': [(lib) => lib.equal(1, 2)],
  should: [(lib) => lib(1).equal(2), (lib) => lib(1).should.equal(2)],
  unexpected: [(lib) => lib(1, 'to be', 2)],
};

function holds(claim, lib) {
  try {
    claim(lib);
    return true;
  } catch {
    return false;
  }
}

// Of the libraries that were loaded those by which a false claim holds.
function idle() {
  const loaded = Object.entries(require.cache).map(([file, module]) => [/node_modules[\\/]([\w.-]+)[\\/]/.exec(file), module]);
  const known = loaded.filter(([name]) => name && Object.hasOwn(ASSERTING, name[1]));
  return known.filter(([name, { exports: lib }]) => ASSERTING[name[1]].some((claim) => holds(claim, lib))).map(([name]) => name[1]);
}

// What a test starts is not ours to report on, and the tests need not know where reports lie.
function hide(place) {
  const options = (process.env.NODE_OPTIONS || '').split(' ');
  const theirs = options.filter((option) => !option.includes(place) && !option.startsWith('--test-reporter'));
  process.env.NODE_OPTIONS = theirs.join(' ').replace(/(?:^| )--require$/, '');
  for (const file of [__filename, require.resolve('./arreio_anatomy.cjs')]) delete require.cache[file];
}

function guard() {
  const place = path.dirname(__dirname);
  hide(place);
  const replaced = anatomy(['assert', 'assert/strict', 'node:test']);
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
    const judge = replaced();
    if (judge) return writeFileSync(mark, `${judge} was replaced while the tests ran`);
    const [library] = idle();
    if (library) return writeFileSync(mark, `${library} asserts nothing: that 1 equals 2 passes by it`);
    if (!left) return unlinkSync(mark);
    // A test file may leave once its tests are done: the reporter knows whether they were.
    writeFileSync(mark, path.resolve(file));
    renameSync(mark, path.join(place, `${process.pid}.${done ? 'done' : 'left'}`));
  });
}

if (process.env.NODE_TEST_CONTEXT) guard();
