import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ConfigFile, ConfigTree } from '../../src/config';
import { applyEdits, type Edit } from '../../src/edit';
import { findDirective } from '../../src/httpd/directives';
import { findModule } from '../../src/httpd/modules';
import { type Directive, type Node, type Section, walk } from '../../src/syntax';
import type { Httpd } from '../httpd/binary';

/** A tree written below a scratch root, with what only its own machine has taken out; line numbers stay. */
export interface Scratch {
  readonly main: string;
  /** Where each file went. */
  readonly places: ReadonlyMap<string, ConfigFile>;
}

/** Directives whose argument must be there for -t to pass, or name an account of the machine. */
const LOCAL =
  /^(?:user|group|documentroot|typesconfig|mimemagicfile|errorlog|customlog|transferlog|scorescript|lockfile|pidfile|scoreboardfile|coredumpdirectory|davlockdb|chrootdir|loadfile|rewritemap|securelisten|ssl\w*(?:file|path|device)|sslpassphrasedialog|ldaptrusted\w+)$/;

/**
 * @param preamble what to say before, once: where modules are compiled in, the lines that load them here
 * @param withoutForeign takes the modules of third parties out, with their directives
 */
export function writeScratch(
  tree: ConfigTree,
  httpd: Httpd,
  root: string,
  preamble: string,
  withoutForeign: boolean,
): Scratch {
  const files = new Map(tree.files.map((file, i) => [file, join(root, `${i}-${basename(file.path)}`)]));
  const aggregates: [string, string][] = [];
  for (const [file, path] of files) {
    const edits = [...walk(file.document.body)].flatMap(([node]) =>
      editsFor(node, { tree, httpd, root, files, aggregates, withoutForeign }),
    );
    writeFileSync(path, applyEdits(file.document.text, edits), 'latin1');
  }
  for (const [path, text] of aggregates) writeFileSync(path, text);
  mkdirSync(join(root, 'logs'), { recursive: true });
  const main = join(root, 'main.conf');
  const includes = tree.roots.map((file) => `Include "${files.get(file)!}"\n`);
  writeFileSync(
    main,
    `ServerRoot "${root}"\n${preamble}ErrorLog "${root}/logs/error_log"\n${includes.join('')}`,
  );
  return { main, places: new Map([...files].map(([file, path]) => [path, file])) };
}

interface Writing {
  readonly tree: ConfigTree;
  readonly httpd: Httpd;
  readonly root: string;
  readonly files: ReadonlyMap<ConfigFile, string>;
  readonly aggregates: [string, string][];
  readonly withoutForeign: boolean;
}

function editsFor(node: Node, { tree, httpd, root, files, aggregates, withoutForeign }: Writing): Edit[] {
  if (node.kind === 'section') return withoutForeign ? sectionEdits(node) : [];
  if (node.kind !== 'directive') return [];
  const put = (text: string): Edit[] => [{ start: node.from, end: node.to, text }];
  if (node.joined) return [];
  if (node.key === 'include' || node.key === 'includeoptional') {
    const targets = tree.includes.get(node) ?? [];
    const path = join(root, `include-${aggregates.length}.conf`);
    aggregates.push([path, targets.map((file) => `Include "${files.get(file)!}"\n`).join('')]);
    return put(`Include "${path}"`);
  }
  if (node.key === 'loadmodule') return put(loadLine(node, httpd, withoutForeign));
  if (node.key === 'serverroot') return put(`ServerRoot "${root}"`);
  // A directive that nobody ships is a third party's, and its module is not here.
  return LOCAL.test(node.key) || (withoutForeign && findDirective(node.key) === undefined) ? put('#') : [];
}

/** Sections of third parties go with what is in them staying. */
function sectionEdits(node: Section): Edit[] {
  if (findDirective(node.key) !== undefined) return [];
  const { open, close } = node;
  return [open, ...(close === undefined ? [] : [close])].map(({ from, to }) => ({
    start: from,
    end: to,
    text: '#',
  }));
}

function loadLine(node: Directive, { modules, statics, moduleDir }: Httpd, withoutForeign: boolean): string {
  const [identifier = '', path = ''] = node.args.map(({ value }) => value);
  const file = /mod_(\w+)\.so$/.exec(path)?.[1];
  const name = identifier.replace(/_module$/, '');
  if (!withoutForeign && findModule(identifier) === undefined) return node.text;
  // What is compiled in here may be a module of its own at home.
  if (file === undefined || statics.has(name)) return '#';
  const known = /^(?:access_compat|mem_cache|disk_cache|authn_default|authz_default|authn_alias)$/.test(file);
  if (!modules.has(file) && !known) return '#';
  return `LoadModule ${identifier} "${moduleDir}/mod_${file}.so"`;
}
