#!/usr/bin/env node
// Runs the bundle, where it can from the form that scripts/compile.cjs has compiled it to: by this version of node, and this bundle.
const { closeSync, fstatSync, openSync, readSync } = require('node:fs');
const { Script } = require('node:vm');

const filename = `${__dirname}/../dist/httpd-codemod.cjs`;

/** By what the bundle reads with too: each function of node's takes its time where it is the first call. */
function read(path) {
  const file = openSync(path);
  const bytes = Buffer.allocUnsafeSlow(fstatSync(file).size);
  const length = readSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
  return length === bytes.length ? bytes : bytes.subarray(0, length);
}

function compiled() {
  try {
    const source = read(filename).latin1Slice();
    const id = source.slice(0, source.indexOf('\n') + 1);
    const cache = read(`${filename}.cache`);
    if (id !== cache.latin1Slice(0, id.length)) return undefined;
    return new Script(source, { filename, cachedData: cache.subarray(id.length) });
  } catch {
    return undefined;
  }
}

const script = compiled();
if (script === undefined) require(filename);
else script.runInThisContext()(require);
