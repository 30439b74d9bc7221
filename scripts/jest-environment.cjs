// Where the tests run. All files that a worker takes run in the same context of V8, in which the modules of src, transforms and
// testing are loaded once: loading and compiling them again took as long as many of the tests. What a test file sets globally is
// removed after it, but for the matchers that a package adds.
const { readFileSync } = require('node:fs');
const { compileFunction, createContext, runInContext } = require('node:vm');
const { ModuleMocker } = require('jest-mock');
const { installCommonGlobals } = require('jest-util');
const { ACCESSOR, modulesFile } = require('./jest-modules.cjs');

/** What the modules read most, as names of the function around them: a look-up in a context of its own is slow. */
const INTRINSICS = [
  'Array',
  'Boolean',
  'Error',
  'Map',
  'Math',
  'Number',
  'Object',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'WeakMap',
];

/** The context and what it has before any test file runs. */
let shared;

function share({ cacheDirectory, globals }) {
  const context = createContext({});
  const global = runInContext('globalThis', context);
  const define = (name, value) =>
    Object.defineProperty(global, name, { configurable: true, enumerable: false, writable: true, value });
  const present = new Set(Object.getOwnPropertyNames(global));
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!present.has(name))
      Object.defineProperty(global, name, {
        configurable: true,
        enumerable: false,
        get: () => globalThis[name],
        set(value) {
          define(name, value);
        },
      });
  // node makes buffers with its own constructors: those of the context would be different ones.
  for (const name of ['ArrayBuffer', 'Buffer', 'Uint8Array']) define(name, globalThis[name]);
  for (const name of ['global', 'globalThis']) define(name, global);
  installCommonGlobals(global, globals);
  global.Error.stackTraceLimit = 100;
  let modules;
  define(ACCESSOR, (name) => (modules ??= loadModules(context, modulesFile(cacheDirectory)))[name]());
  return { context, global, before: Object.getOwnPropertyDescriptors(global) };
}

function loadModules(context, filename) {
  const load = compileFunction(readFileSync(filename, 'utf8'), ['module', 'require', ...INTRINSICS], {
    filename,
    parsingContext: context,
  });
  const module = { exports: {} };
  load(module, require, ...INTRINSICS.map((name) => runInContext(name, context)));
  return module.exports;
}

module.exports = class {
  constructor({ projectConfig }) {
    shared ??= share(projectConfig);
    this.global = shared.global;
    this.moduleMocker = new ModuleMocker(this.global);
  }

  getVmContext() {
    return shared.context;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  async setup() {}

  async teardown() {
    const { global, before } = shared;
    for (const name of Reflect.ownKeys(global))
      if (!Object.hasOwn(before, name)) Reflect.deleteProperty(global, name);
    Object.defineProperties(global, before);
  }

  // Where a test that asked a real httpd fails, its message says which release answered.
  handleTestEvent({ name, test }) {
    const judge = this.global.httpdJudge;
    if (name !== 'test_done' || typeof judge !== 'string') return;
    for (const each of test.errors) {
      const error = Array.isArray(each) ? each[0] : each;
      if (!(error instanceof Object) || typeof error.message !== 'string') continue;
      const { message, stack } = error;
      error.message = `[httpd ${judge} was asked] ${message}`;
      if (typeof stack === 'string') error.stack = stack.replace(message, () => error.message);
    }
  }
};
