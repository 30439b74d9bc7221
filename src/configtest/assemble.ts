import type { ConfigFile, ConfigTree } from '../config/types';
import { applyEdits, type Edit } from '../edit';
import { walk } from '../syntax';

/** A copy of a tree that httpd can read in place of the original. Names are relative to one directory. */
export interface Assembly {
  /** The file that httpd is to read; it includes all others. */
  readonly main: string;
  /** Name → text. */
  readonly texts: ReadonlyMap<string, string>;
  /** Name of a link → name of the file it leads to. */
  readonly links: ReadonlyMap<string, string>;
  /** Name of a text or link → the file it is a copy of. */
  readonly origins: ReadonlyMap<string, ConfigFile>;
}

const MAIN = 'main.conf';

/**
 * Puts copies of all files that the server reads into one directory. An Include leads to the copies of what it reached; all other
 * paths stay as they are, ServerRoot too, so that modules and other files are found. A `.htaccess` is read as what its
 * directory's section says: httpd's own test never reads one.
 * @param directory where the assembly will stand: an absolute path without blanks, quotes and wildcards
 */
export function assemble(tree: ConfigTree, directory: string): Assembly {
  const texts = new Map<string, string>();
  const links = new Map<string, string>();
  const origins = new Map<string, ConfigFile>();
  const read = tree.isServer ? tree.files.filter(({ role }) => role !== 'unreached') : tree.files;
  const names = new Map(read.map((file, i) => [file, `files/${i}.conf`]));
  let includes = 0;
  for (const [file, name] of names) {
    const edits: Edit[] = [];
    for (const [node] of walk(file.document.body)) {
      const targets = node.kind === 'directive' ? tree.includes.get(node) : undefined;
      if (node.kind !== 'directive' || targets === undefined || targets.length === 0) continue;
      const [argument] = node.args;
      if (argument === undefined) continue;
      const folder = `include/${includes++}`;
      targets.forEach((target, i) => {
        const link = `${folder}/${String(i).padStart(6, '0')}.conf`;
        links.set(link, names.get(target) ?? '');
        origins.set(link, target);
      });
      edits.push({ start: argument.start, end: argument.end, text: `${directory}/${folder}/*.conf` });
    }
    texts.set(name, applyEdits(file.document.text, edits));
    origins.set(name, file);
  }
  texts.set(
    MAIN,
    mainText(tree, read, (file) => `${directory}/${names.get(file) ?? ''}`),
  );
  return { main: MAIN, texts, links, origins };
}

function mainText(
  tree: ConfigTree,
  files: readonly ConfigFile[],
  nameOf: (file: ConfigFile) => string,
): string {
  const lines: string[] = [];
  for (const file of files) {
    if (file.role === 'server' || (file.role === 'unreached' && !tree.isServer))
      lines.push(`Include ${nameOf(file)}`);
    if (file.role !== 'htaccess') continue;
    for (const place of file.directories) {
      if (/["\\\n]/.test(place)) continue;
      lines.push(`<Directory "${place}">`, `Include ${nameOf(file)}`, '</Directory>');
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}
