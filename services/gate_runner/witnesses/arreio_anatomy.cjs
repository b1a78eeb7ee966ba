// Looks at the modules of node that judge: whether a member of theirs is another one than it was.
'use strict';
const Module = require('node:module');

function membersOf([name, lib]) {
  const parts = [['', lib], ['strict.', lib.strict], ['AssertionError.prototype.', lib.AssertionError?.prototype]];
  const held = parts.filter(([, part]) => part);
  return held.flatMap(([prefix, part]) => Reflect.ownKeys(part).map((key) => [name, prefix, key, part, valueOf(part, key)]));
}

// The value itself, or what gives it: a getter that makes its value when first asked is not asked.
function valueOf(part, key) {
  const { value, get } = Reflect.getOwnPropertyDescriptor(part, key) || {};
  return get || value;
}

// What asserts and what runs tests, as it is before any code of the workspace; gives what of it was replaced since.
exports.anatomy = (judges) => {
  const libs = judges.map((name) => [name, require(name)]);
  const before = libs.flatMap(membersOf);
  const names = libs.flatMap(([name, lib]) => [name, `node:${name.replace('node:', '')}`].map((one) => [one, lib]));
  return () => {
    const part = before.find(([, , key, holder, value]) => valueOf(holder, key) !== value);
    if (part) return `${part[0]}.${part[1]}${String(part[2])}`;
    return names.find(([name, lib]) => Module._load(name, require.main, false) !== lib)?.[0];
  };
};
