#!/usr/bin/env node
const { join } = require('node:path');
const { loadCompiled } = require('./compiled');

const bundle = join(__dirname, '../dist/httpd-codemod.cjs');
const main = loadCompiled(bundle);
if (main === undefined) require(bundle);
else main(require);
