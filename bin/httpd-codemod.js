#!/usr/bin/env node
// Read by every Node, however old: what stands here must be JavaScript of 2009.
if (parseInt(process.versions.node, 10) >= 18) {
  require('../dist/httpd-codemod.cjs');
} else {
  process.stderr.write('httpd-codemod: needs Node.js 18 or newer; this is ' + process.version + '\n');
  process.exitCode = 2;
}
