// What the command line's time is held against: node that starts, walks and reads the same files, and does nothing with them.
const { readdirSync, readFileSync, statSync } = require('node:fs');

let bytes = 0;
function read(path) {
  if (statSync(path).isFile()) {
    bytes += readFileSync(path, 'latin1').length;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = `${path}/${entry.name}`;
    if (entry.isDirectory()) read(below);
    else if (entry.isFile()) bytes += readFileSync(below, 'latin1').length;
  }
}
for (const path of process.argv.slice(2)) read(path);
process.stdout.write(`${bytes}\n`);
