// Writes what V8 makes of the bundle beside it, so that node need not do so again at every start: that would take a third of what a run
// over one file takes on top of node itself. Only functions that have run are in it, so this converts the .htaccess files of the examples
// first: what no short run calls would only be there to be read.
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

/** What has been compiled further here would be so at once in each run, however short; and nothing is to be forgotten again. */
const FLAGS = ['sparkplug', 'flush-bytecode'];

const filename = join(__dirname, '../dist/httpd-codemod.cjs');
const source = readFileSync(filename, 'latin1');
for (const flag of FLAGS) setFlagsFromString(`--no-${flag}`);
const script = new Script(source, { filename });
process.argv = [process.execPath, filename, join(__dirname, '../examples/www')];
process.exit = (status) => {
  if (status > 1) throw new Error('the bundle cannot convert the examples');
};
script.runInThisContext()(require);
// V8 takes the form only under the flags that it was made with.
for (const flag of FLAGS) setFlagsFromString(`--${flag}`);
const id = source.slice(0, source.indexOf('\n') + 1);
writeFileSync(`${filename}.cache`, Buffer.concat([Buffer.from(id, 'latin1'), script.createCachedData()]));
