// Makes the compiled form of the bundle (see compiled.js). Run after installation and after a build; where it cannot be made, the command
// runs without it.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { makeCompiled } = require('./compiled');

const bundle = join(__dirname, '../dist/httpd-codemod.cjs');

if (process.argv[2] === 'child') makeCompiled(bundle, join(__dirname, 'sample.htaccess'));
// In a process of its own: the bundle prints what it finds, and ends its process.
else if (existsSync(bundle)) spawnSync(process.execPath, [__filename, 'child'], { stdio: 'ignore' });
