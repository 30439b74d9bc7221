import { findDirective } from '../../httpd/directives';
import { findModule } from '../../httpd/modules';
import type { Directive, Node, Section } from '../../syntax';
import type { ConfigTree, Place } from '../types';
import { placeCondition } from './conditions';
import { visitTree } from './walk';

/** The version that a configuration is for, and what shows it: one line of a report. */
export interface ServerState {
  readonly kind: '2.2' | '2.4' | '2.4 with old lines' | 'half-converted' | 'for both' | 'part';
  readonly text: string;
  /** Lines that show it, as `FILE:LINE line`. */
  readonly evidence: string;
}

/** Access lines that 2.4 reads with mod_access_compat alone. */
const OLD = new Set(['order', 'allow', 'deny', 'satisfy']);
/** Words after Require that 2.4 alone knows, and sections of 2.4 alone. */
const WORDS = /^(?:all|env|expr|host|ip|local|method|not)$/i;
const SECTIONS = new Set(['if', 'elseif', 'else', 'requireall', 'requireany', 'requirenone']);

/** The first line of each kind, with the files that have unguarded lines of both. */
class Signs {
  module22: string | undefined;
  module24: string | undefined;
  compat: string | undefined;
  /** In no block for one version alone. */
  old: string | undefined;
  new: string | undefined;
  /** In a `.htaccess`: whoever may write one does not say what server reads it. */
  oldBelow: string | undefined;
  oldGuarded: string | undefined;
  newGuarded: string | undefined;
  readonly oldFiles = new Set<string>();
  readonly newFiles = new Map<string, string>();

  add(node: Node, place: Place): void {
    if (place.root.role === 'unreached' || (node.kind !== 'directive' && node.kind !== 'section')) return;
    if (place.root.role === 'htaccess') {
      if (OLD.has(node.key) && placeCondition(place.chain).on24 !== false)
        this.oldBelow ??= textAt(node, place);
    } else if (node.kind === 'directive' && node.key === 'loadmodule') this.#addModule(node, place);
    else if (OLD.has(node.key)) this.#addOld(node, place);
    else if (isOf24(node)) this.#addNew(node, place);
  }

  #addModule(node: Directive, place: Place): void {
    const { on22, on24 } = placeCondition(place.chain);
    const name = node.args[0]?.value ?? '';
    const versions = findModule(name)?.versions;
    if (name === 'access_compat_module') this.compat ??= textAt(node, place);
    else if (versions === '2.2' && on24 === false) this.oldGuarded ??= textAt(node, place);
    else if (versions === '2.4' && on22 === false) this.newGuarded ??= textAt(node, place);
    else if (versions === '2.2' && on22 !== false) this.module22 ??= textAt(node, place);
    else if (versions === '2.4' && on24 !== false) this.module24 ??= textAt(node, place);
  }

  #addOld(node: Directive | Section, place: Place): void {
    if (placeCondition(place.chain).on24 === false) {
      this.oldGuarded ??= textAt(node, place);
      return;
    }
    this.old ??= textAt(node, place);
    this.oldFiles.add(place.file.path);
  }

  #addNew(node: Directive | Section, place: Place): void {
    if (placeCondition(place.chain).on22 === false) {
      this.newGuarded ??= textAt(node, place);
      return;
    }
    this.new ??= textAt(node, place);
    const { path } = place.file;
    if (isAccess(node) && !this.newFiles.has(path)) this.newFiles.set(path, textAt(node, place));
  }
}

/** A line, and where it stands. */
function textAt(node: Directive | Section, { file }: Place): string {
  const line = node.kind === 'section' ? node.open : node;
  const text = node.key === 'loadmodule' ? `${node.name} ${node.args[0]?.value ?? ''}` : line.text;
  return `${file.name}:${file.document.positionAt(line.from).line} ${text.trim()}`;
}

function isAccess({ key }: { readonly key: string }): boolean {
  return key.startsWith('require') || key === 'authmerging';
}

function isOf24(node: Node): boolean {
  if (node.kind === 'section') return SECTIONS.has(node.key);
  if (node.kind !== 'directive') return false;
  if (node.key === 'require') return WORDS.test(node.args[0]?.value ?? '');
  const known = findDirective(node.key);
  return (
    known !== undefined &&
    known.owners22.length === 0 &&
    known.owners24.some((owner) => findModule(`${owner}_module`)?.versions !== 'extra')
  );
}

/** For which version a configuration is written, and what in its own files shows it; undefined where nothing does. */
export function serverStateOf(tree: ConfigTree): ServerState | undefined {
  const signs = new Signs();
  visitTree(tree, (node, place) => signs.add(node, place));
  if (!tree.isServer)
    return {
      kind: 'part',
      text: 'a part of a server',
      evidence: signs.new ?? signs.old ?? signs.oldBelow ?? 'no line of a whole server',
    };
  if (signs.module22 !== undefined)
    return { kind: '2.2', text: 'a 2.2 server', evidence: `${signs.module22}, which no 2.4 has` };
  const of24 = signs.new ?? signs.module24;
  if (of24 !== undefined) return stateOf24(of24, signs, tree);
  if (signs.old === undefined && signs.oldGuarded !== undefined && signs.newGuarded !== undefined)
    return {
      kind: 'for both',
      text: 'files for 2.2 and 2.4',
      evidence: joined(signs.oldGuarded, signs.newGuarded),
    };
  return signs.old === undefined ? undefined : { kind: '2.2', text: 'a 2.2 server', evidence: signs.old };
}

function stateOf24(of24: string, signs: Signs, { targetModules }: ConfigTree): ServerState {
  const old = signs.old ?? signs.oldBelow;
  if (old === undefined) return { kind: '2.4', text: 'a 2.4 server', evidence: of24 };
  const mixedFile = [...signs.oldFiles].find((path) => signs.newFiles.has(path));
  const kind = mixedFile === undefined ? '2.4 with old lines' : 'half-converted';
  const what = mixedFile === undefined ? 'a 2.4 server with lines of 2.2' : 'a half-converted server';
  const hasCompat =
    targetModules?.has('access_compat_module') ??
    (signs.compat !== undefined ? true : signs.module24 === undefined ? undefined : false);
  const compat =
    hasCompat === undefined
      ? ' that 2.4 reads only with mod_access_compat'
      : hasCompat
        ? ', with mod_access_compat'
        : `, without mod_access_compat, so that 2.4 ${signs.old === undefined ? 'answers 500 where a .htaccess has them' : 'does not start with them'}`;
  const new24 = mixedFile === undefined ? of24 : signs.newFiles.get(mixedFile)!;
  return { kind, text: `${what}${compat}`, evidence: joined(new24, old, signs.compat) };
}

function joined(...lines: readonly (string | undefined)[]): string {
  return lines.filter((line) => line !== undefined).join('; ');
}
