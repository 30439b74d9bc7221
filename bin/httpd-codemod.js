#!/usr/bin/env node
// Runs the bundle, where it can from the form that scripts/compile.cjs has compiled it to: by this version of node, and this bundle.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const filename = join(__dirname, '../dist/httpd-codemod.cjs');

function compiled() {
  try {
    const source = readFileSync(filename, 'latin1');
    const id = source.slice(0, source.indexOf('\n') + 1);
    const cache = readFileSync(`${filename}.cache`);
    if (id !== cache.latin1Slice(0, id.length)) return undefined;
    return new Script(source, { filename, cachedData: cache.subarray(id.length) });
  } catch {
    return undefined;
  }
}

const script = compiled();
if (script === undefined) require(filename);
else script.runInThisContext()(require);
