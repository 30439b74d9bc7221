import {
  type ConfigFile,
  type ConfigTree,
  type Place,
  conditionOf,
  expand,
  hasVariable,
  isConditional,
} from '../../src/config';
import type { TransformContext } from '../../src/engine';
import { findModule } from '../../src/httpd/modules';
import { type Directive, type Section, readWords, walk } from '../../src/syntax';
import type { Port } from './name-virtual-host-address';

/** A virtual host; the same section reached twice is one, since both copies answer alike. */
export class VirtualHost {
  readonly file: ConfigFile;
  readonly section: Section;

  constructor(file: ConfigFile, section: Section) {
    this.file = file;
    this.section = section;
  }

  /** Its ServerName, or its opening line. */
  get label(): string {
    for (const [node] of walk(this.section.body))
      if (node.kind === 'directive' && node.key === 'servername' && node.args[0] !== undefined)
        return node.args[0].value;
    return `<VirtualHost ${this.section.open.rest}>`;
  }
}

/** A conditional around a line of which the files do not tell whether it is read. */
export interface Question {
  /** Equal for sections that are decided alike. */
  readonly key: string;
  readonly negated: boolean;
  readonly on22: boolean | undefined;
  readonly on24: boolean | undefined;
}

interface Common {
  readonly file: ConfigFile;
  readonly root: ConfigFile;
  readonly questions: readonly Question[];
  readonly words: readonly string[];
}

/** What decides between virtual hosts, in the order it is read. */
export type Line = Common &
  (
    | { readonly kind: 'name'; readonly node: Directive; readonly inside: Section | undefined }
    | { readonly kind: 'host'; readonly host: VirtualHost }
    | { readonly kind: 'port'; readonly port: Port }
    | { readonly kind: 'listen' }
  );

/** The directives that decide between virtual hosts, or tell of modules. */
const DECIDING = ['Listen', 'LoadModule', 'NameVirtualHost', 'ServerName'];

export function readLines({ tree, index }: Pick<TransformContext, 'tree' | 'index'>): Line[] {
  const lines: Line[] = [];
  const loaded = new Set<string>();
  const hosts = new Map<Section, VirtualHost>();
  index.visitInOrder(DECIDING, ['VirtualHost'], (node, place) => {
    // No virtual host stands in a .htaccess.
    if (place.root.role === 'htaccess') return;
    // Of these lines it is those of the server itself that count.
    if (node.key !== 'namevirtualhost' && place.chain.some(({ section }) => !isConditional(section))) return;
    const common = (): Common => ({
      file: place.file,
      root: place.root,
      questions: questionsOf(place),
      words: wordsOf(node, tree),
    });
    if (node.kind === 'section')
      lines.push({ kind: 'host', host: hostOf(hosts, node, place.file), ...common() });
    else if (node.key === 'namevirtualhost') {
      const around = place.chain.filter(({ section }) => !isConditional(section));
      const inside = around[0]?.section;
      if (around.length > 1 || (inside !== undefined && inside.key !== 'virtualhost')) return;
      // 2.2 and 2.4 refuse any other number of arguments.
      if (node.args.length === 1) lines.push({ kind: 'name', node, inside, ...common() });
    } else if (node.key === 'servername') lines.push({ kind: 'port', port: portOf(node, tree), ...common() });
    else if (node.key === 'listen') lines.push({ kind: 'listen', ...common() });
    else if (node.key === 'loadmodule' && place.chain.length === 0)
      loaded.add(`ifmodule ${node.args[0]?.value ?? ''}`);
  });
  return lines.map((line) =>
    line.questions.length === 0
      ? line
      : { ...line, questions: line.questions.map((one) => settle(one, loaded)) },
  );
}

/** A module that the configuration loads is there. */
function settle(question: Question, loaded: ReadonlySet<string>): Question {
  const { key, negated, on22, on24 } = question;
  return loaded.has(key) ? { ...question, on22: on22 ?? !negated, on24: on24 ?? !negated } : question;
}

function hostOf(known: Map<Section, VirtualHost>, section: Section, file: ConfigFile): VirtualHost {
  let host = known.get(section);
  if (host === undefined) known.set(section, (host = new VirtualHost(file, section)));
  return host;
}

/** The arguments with the variables put in that are known. */
function wordsOf(node: Directive | Section, tree: ConfigTree): string[] {
  const rest = node.kind === 'section' ? node.open.rest : node.rest;
  if (!hasVariable(rest)) return node.args.map(({ value }) => value);
  return readWords(expand(rest, tree.variables)).map((word) => word.value);
}

/** The port that a main ServerName gives to addresses without one; one without a port takes it back (2.2 server/core.c). */
function portOf(node: Directive, tree: ConfigTree): Port {
  const name = (wordsOf(node, tree)[0] ?? '').replace(/^.*?:\/\//, '');
  const colon = name.indexOf(':');
  if (colon < 0) return name.includes('${') ? name : 0;
  const port = name.slice(colon + 1);
  return port.includes('${') ? port : Number.parseInt(port, 10) || 0;
}

function questionsOf({ chain }: Place): Question[] {
  return chain.flatMap(({ section }): Question[] => {
    if (!isConditional(section)) return [];
    const { on22, on24 } = conditionOf(section);
    if (on22 === true && on24 === true) return [];
    const text = section.open.rest;
    const negated = text.startsWith('!') && (section.key === 'ifmodule' || section.key === 'ifdefine');
    const name = negated ? text.slice(1).trimStart() : text;
    const key = section.key === 'ifmodule' ? (findModule(name)?.identifier ?? name) : name;
    return [{ key: `${section.key} ${key}`, negated, on22, on24 }];
  });
}
