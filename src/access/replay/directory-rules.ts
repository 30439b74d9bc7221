import { type ConfigTree, visitTree } from '../../config';
import type { Directive } from '../../syntax';
import { isGlob, isWithin, getOrInsert } from '../primitives';

interface RulesOfDirectory {
  /** Files, absolute, and URL paths of this server. */
  readonly files: Set<string>;
  readonly urls: Set<string>;
  /** A rule takes its target from the request. */
  isOpen: boolean;
}

/**
 * The RewriteRule lines of directories and of `.htaccess` files: who may have the file that was asked for is decided first, and
 * then again for what a rule has made of it (mod_rewrite.c: hook_fixup).
 */
export class DirectoryRules {
  readonly #byDirectory = new Map<string, RulesOfDirectory>();

  constructor(tree: ConfigTree) {
    visitTree(tree, (node, { chain, root }) => {
      if (node.kind !== 'directive' || node.key !== 'rewriterule') return;
      const section = chain.findLast(({ section: { key } }) => CONTAINERS.has(key))?.section;
      if (section === undefined && root.role !== 'htaccess') return;
      const named = section?.key === 'directory' ? section.args[0]?.value : undefined;
      const isPlain = named !== undefined && !isGlob(named) && named !== '~';
      const directories =
        section === undefined ? root.directories : [isPlain ? named.replace(/(?<=.)\/+$/, '') : '/'];
      for (const directory of directories) this.#add(directory, node);
    });
  }

  #add(directory: string, { args }: Directive): void {
    const [, substitution = '-', flags = ''] = args.map(({ value }) => value);
    const path = substitution.replace(/\?.*$/s, '');
    // It goes back to the client, or is refused, or nothing changes.
    if (path === '-' || /(?:^|[[,])(?:R|redirect|F|forbidden|G|gone)(?:[=,\]]|$)/i.test(flags)) return;
    if (/^[a-z]+:/i.test(path)) return;
    const make = (): RulesOfDirectory => ({ files: new Set(), urls: new Set(), isOpen: false });
    const rules = getOrInsert(this.#byDirectory, directory, make);
    if (/[$%]/.test(path)) rules.isOpen = true;
    else if (path.startsWith('/')) rules.urls.add(path);
    else if (path !== '') rules.files.add(`${directory === '/' ? '' : directory}/${path}`);
  }

  get directories(): Iterable<string> {
    return this.#byDirectory.keys();
  }

  /** Where the rules above a file may lead a request for it. */
  of(filename: string): {
    readonly files: readonly string[];
    readonly urls: readonly string[];
    readonly isOpen: boolean;
  } {
    const files = new Set<string>();
    const urls = new Set<string>();
    let isOpen = false;
    for (const [directory, rules] of this.#byDirectory) {
      if (!isWithin(filename, directory)) continue;
      for (const file of rules.files) files.add(file);
      for (const url of rules.urls) urls.add(url);
      isOpen ||= rules.isOpen;
    }
    return {
      files: [...files].slice(0, MOST),
      urls: [...urls].slice(0, MOST),
      isOpen: isOpen || files.size > MOST || urls.size > MOST,
    };
  }
}

const MOST = 4;

const CONTAINERS = new Set('directory directorymatch location locationmatch files filesmatch'.split(' '));
