// Signs what a witness saw of a session of tests, as arreio_witness.py does for Python.
'use strict';
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const PLACE = path.dirname(__dirname);
const KEY = path.join(PLACE, 'witness.key');
const NESTED = 'ARREIO_WITNESSED';
const MOST_NAMES = 50;

function write(file, text) {
  fs.writeFileSync(`${file}.new`, text);
  fs.renameSync(`${file}.new`, file);
}

function takenKey() {
  try {
    const [number, key] = fs.readFileSync(KEY, 'utf8').split(' ');
    fs.unlinkSync(KEY);
    process.env[NESTED] = '1';
    return { number: Number(number), key: Buffer.from(key, 'hex') };
  } catch {
    if (!(NESTED in process.env)) write(path.join(PLACE, 'beside.unsigned'), '');
    return { number: 0, key: null };
  }
}

// A session: `cases` are [name, 'passed' | 'skipped' | 'failed', why].
exports.open = () => {
  let { number, key } = takenKey();
  return {
    sign(cases, odd) {
      if (key === null) return;
      const failures = cases.filter(([, how]) => how === 'failed').map(([name, , why]) => [name, why || '']);
      const counted = (wanted) => cases.filter(([, how]) => how === wanted).length;
      const names = cases.filter(([, how]) => how === 'skipped').map(([name]) => name).slice(0, MOST_NAMES);
      const body = JSON.stringify({ passed: counted('passed'), skipped: counted('skipped'), failures, odd, names });
      const mark = crypto.createHmac('sha256', key).update(body).digest('hex');
      write(path.join(PLACE, `${number}.signed`), `${mark}\n${body}`);
      write(KEY, `${number + 1} ${crypto.createHash('sha256').update(key).digest('hex')}`);
      key = null;
    },
  };
};

exports.named = (file, titles) => [path.basename(file || '?'), titles.filter(Boolean).join(' > ')].join('::');

// The first line of an error, and what was compared.
exports.why = (message) => {
  const lines = String(message || '').replace(/\x1b\[[0-9;]*m/g, '').replace(/●/g, '').split('\n');
  const compared = lines.filter((line) => /^\s*(?:Expected|Received)\b.*:/.test(line)).map((line) => line.trim());
  const first = lines.map((line) => line.trim()).find(Boolean) || '';
  return `${first} ${compared.filter((line) => line !== first).join('; ')}`.trim();
};
