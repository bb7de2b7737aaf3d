// What yargs asks of its surroundings, as far as it is used here: parsing and routing. Its own platform file
// loads a help layout, translations (looked for on disk), string widths and `node:assert` as well, which cost
// several times what the parsing does. build.mjs puts this one in its place.
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { inspect } from "node:util";
import Parser from "yargs-parser";

const unused = (name) => () => {
  throw new Error(`yargs asked for ${name}`);
};

function format(text, ...values) {
  let next = 0;
  return text.replace(/%[sd]/g, () => String(values[next++]));
}

export default {
  assert: {
    notStrictEqual(actual, expected, message) {
      if (actual === expected) throw new Error(message);
    },
    strictEqual(actual, expected, message) {
      if (actual !== expected) throw new Error(message);
    },
  },
  // yargs draws its own help before every command, shown or not; ours is drawn from spec.ts.
  cliui: () => ({ div() {}, span() {}, resetOutput() {}, toString: () => "" }),
  findUp: () => undefined,
  getEnv: (name) => process.env[name],
  getCallerFile: unused("the calling file"),
  getProcessArgvBin: () => "git-handoff",
  inspect,
  mainFilename: process.cwd(),
  Parser,
  path: { basename, dirname, extname, join, relative, resolve },
  process: {
    argv: () => process.argv,
    cwd: () => process.cwd(),
    emitWarning: (warning, type) => process.emitWarning(warning, type),
    execPath: () => process.execPath,
    exit: (code) => process.exit(code),
    nextTick: process.nextTick,
    stdColumns: null,
  },
  readFileSync: unused("a file"),
  readdirSync: unused("a folder"),
  require: unused("a module"),
  stringWidth: (text) => text.length,
  y18n: {
    __: format,
    __n: (one, many, count, ...rest) => format(count === 1 ? one : many, count, ...rest),
    getLocale: () => "en",
    setLocale() {},
    updateLocale() {},
  },
};
