// Tells where changed code ends a checker of the workspace with status 0 before its own end: process.exit() and the like;
// and where it hides that the checker failed: an uncaught error or another status that ends as 0, or assertions replaced.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { fileURLToPath } = require("node:url");
const { anatomy } = require("./arreio_anatomy.cjs");

const STATUS = 97;
const told = JSON.parse(process.env.ARREIO_ENDING || "{}");
const real = (file) => {
  try {
    return fs.realpathSync(file.startsWith("file:") ? fileURLToPath(file) : file);
  } catch {
    return file;
  }
};
const root = `${real(process.env.ARREIO_ROOT || process.cwd())}/`;
const main = process.argv[1] ? real(path.resolve(process.argv[1])) : "";
const changed = new Set((told.changed || []).map((one) => root + one));
const checkers = new Set((told.checkers || []).map((one) => root + one));
const end = process.reallyExit;

const stack = () => {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  Error.prepareStackTrace = (_, sites) => sites;
  const sites = new Error().stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return sites
    .map((one) => ({ file: real(one.getFileName() || ""), line: one.getLineNumber(), name: one.getFunctionName() || "" }))
    .filter((one) => one.file.startsWith(root));
};

// Whether all that is left to the checker is the call that led here: the last line of it that says something.
const handedOver = (sites) => {
  const at = sites.findIndex((one) => one.file === main);
  if (at < 1) return false;
  const lines = fs.readFileSync(main, "utf8").split("\n");
  const after = lines.slice(sites[at].line).join("").replace(/[\s})\];]/g, "");
  const name = sites[at - 1].name.split(".").pop();
  const line = lines[sites[at].line - 1].trim();
  return !after && name !== "" && new RegExp(`^(?:await\\s+)?(?:[\\w.]+\\.)?${name}\\(`).test(line);
};

// The same of a program given by `node -e`: its last statement as a whole is the call.
const given = main ? undefined : process._eval;
const handedOverByGiven = (sites) => {
  const name = sites[sites.length - 1].name.split(".").pop().replace(/\$/g, "\\$&");
  const last = given.trim().replace(/;+$/, "").split(/[;\n]/).pop().trim();
  return name !== "" && new RegExp(`(?:^|[.\\s])${name}\\([^()]*\\)$`).test(last);
};

const look = (status) => {
  if (status) return;
  const sites = stack();
  if (!sites.length || !changed.has(sites[0].file) || (given ? handedOverByGiven : handedOver)(sites)) return;
  fs.writeSync(2, `\narreio: ended early by ${sites[0].file.slice(root.length)}:${sites[0].line}: process.exit\n`);
  end.call(process, STATUS);
};

// Whether changed code is the one of the workspace that asks, and no checker.
const isOfChanged = () => changed.has(stack()[0]?.file);

// What failed though the process ends with status 0; undefined where nothing did, or a checker takes errors itself.
const watchFailures = () => {
  const replaced = anatomy(["assert", "assert/strict"]);
  let failed;
  let takes = false;
  let sees = false;
  const fail = (error) => (failed ??= String(error?.message ?? error).split("\n")[0].slice(0, 100));
  process.on("uncaughtExceptionMonitor", fail);
  process.on("newListener", (name) => {
    if (name === "uncaughtException" && !isOfChanged()) takes = true;
    if (name === "unhandledRejection" && !sees && isOfChanged()) {
      sees = true;
      process.on("unhandledRejection", fail);
    }
  });
  return (status) => {
    const judge = replaced();
    if (judge) return `${judge} was replaced`;
    if (status) return `exit status ${status}`;
    return takes ? undefined : failed;
  };
};

if (checkers.has(main) || given) {
  const failure = watchFailures();
  const { emit } = process;
  process.emit = function (name, ...rest) {
    const before = name === "exit" && (process.exitCode ?? rest[0]);
    const result = emit.call(this, name, ...rest);
    const hidden = name === "exit" && !process.exitCode && failure(before);
    if (hidden) {
      fs.writeSync(2, `\narreio: hidden: ${hidden}\n`);
      end.call(process, STATUS);
    }
    return result;
  };
  const exit = process.exit;
  process.exit = function (status) {
    look(status ?? process.exitCode);
    return exit.call(process, status);
  };
  process.reallyExit = function (status) {
    look(status);
    return end.call(process, status);
  };
}
