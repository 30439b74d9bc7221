// node write.cjs LAYOUT SITES FILES PASSWORDS DIR [SEED]: a hosting server below a directory. With DIR/… its paths begin with
// that directory, as on a machine of its own; with `--copied` they are those of a real machine, as in a copy of one.
import { AS_INSTALLED, LAYOUTS, hostingServer, writeFiles } from './generate';

const copied = process.argv.includes('--copied');
const [name = '', sites, files, passwords, dir = '', seed = '1'] = process.argv
  .slice(2)
  .filter((arg) => arg !== '--copied');
const layout = LAYOUTS.find((each) => each.name.toLowerCase() === name.toLowerCase());
if (layout === undefined || dir === '')
  throw new Error('usage: write LAYOUT SITES FILES PASSWORDS DIR [SEED] [--copied]');
const size = { sites: Number(sites), accessFiles: Number(files), passwords: Number(passwords) };
const server = hostingServer(
  layout,
  size,
  Number(seed),
  copied ? AS_INSTALLED : { ...AS_INSTALLED, top: dir },
);
writeFiles(copied ? new Map([...server.files].map(([path, text]) => [dir + path, text])) : server.files);
