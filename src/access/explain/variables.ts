import { type ConfigFile, type ConfigTree, isConditional, linesOf, serversOf } from '../../config';
import { findsPattern } from '../../regex';
import type { Directive, Node, Section } from '../../syntax';
import type { Scope } from '../policy';
import type { AccessQuestion } from './question';

/** The variables that access lines ask for, as SetEnvIf and BrowserMatch set them for a request. */
export interface RequestVariables {
  /** Lower case: those said to be set, too. */
  readonly set: ReadonlySet<string>;
  /** What is taken to be so, as the request does not say what a line looks at. */
  readonly assumed: readonly string[];
}

interface SettingLine {
  readonly node: Directive;
  readonly file: ConfigFile;
}

const SETTING = ['SetEnvIf', 'SetEnvIfNoCase', 'BrowserMatch', 'BrowserMatchNoCase'];
const SETTING_KEYS = new Set(SETTING.map((name) => name.toLowerCase()));

/**
 * The lines are read as mod_setenvif does: those of the server, then those of the sections that the request meets
 * (mod_setenvif.c: match_headers). A header that a request is known not to have is empty.
 */
export function variablesOf(
  question: AccessQuestion,
  uri: string | undefined,
  vhost: Section | undefined,
  tree: ConfigTree,
  { before, after }: { readonly before: readonly Scope[]; readonly after: readonly Scope[] },
): RequestVariables {
  const asked = namesAskedFor([...before, ...after]);
  const found = new Set<string>();
  const assumed: string[] = [];
  if (asked.size === 0) return { set: question.env, assumed };
  const valueOf = (attribute: string): string | undefined => {
    switch (attribute) {
      case 'remote_addr':
        return question.address;
      case 'remote_host':
        return question.host;
      case 'request_method':
        return question.method;
      case 'request_uri':
        return uri;
      default:
        return question.headers?.get(attribute);
    }
  };
  for (const { node, file } of [...serverLines(tree, vhost), ...before.flatMap(linesIn)]) {
    const words = node.args.map(({ value }) => value);
    const ofBrowser = node.key.startsWith('browsermatch');
    const [attribute = '', pattern = '', ...names] = ofBrowser ? ['User-Agent', ...words] : words;
    const settings = names
      .map((name) => ({ name: name.replace(/^!/, '').replace(/=.*/s, ''), unset: name.startsWith('!') }))
      .filter(({ name }) => asked.has(name.toLowerCase()) && !question.env.has(name.toLowerCase()));
    if (settings.length === 0) continue;
    const value = valueOf(attribute.toLowerCase());
    const matches =
      value === undefined ? undefined : findsPattern(pattern, value, node.key.endsWith('nocase'));
    for (const { name, unset } of settings) {
      if (matches === undefined)
        assumed.push(`${name} is not set by ${node.name} ${attribute} at ${file.name}:${file.document.positionAt(node.from).line} (env=${name} if it is)`); // prettier-ignore
      else if (matches && unset) found.delete(name.toLowerCase());
      else if (matches) found.add(name.toLowerCase());
    }
  }
  return { set: new Set([...found, ...question.env]), assumed };
}

/** Lower case. */
function namesAskedFor(met: readonly Scope[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const {
    policy,
    lines: { for24 },
  } of met) {
    for (const { words } of policy.hosts?.lines ?? [])
      for (const word of words) if (word.kind === 'env') names.add(word.name.toLowerCase());
    for (const { node } of for24) {
      if (node.kind !== 'directive') continue;
      const words = node.args.map(({ value }) => value.toLowerCase());
      const from = words[0] === 'not' ? 1 : 0;
      if (words[from] === 'env') for (const name of words.slice(from + 1)) names.add(name);
    }
  }
  return names;
}

/** In the order in which they are merged. */
function serverLines(tree: ConfigTree, vhost: Section | undefined): SettingLine[] {
  const { main, all } = serversOf(tree);
  const servers = [main, vhost && all.find(({ section }) => section === vhost)];
  return servers.flatMap((server) =>
    server === undefined
      ? []
      : linesOf(server, SETTING).map(({ node, place }) => ({ node, file: place.file })),
  );
}

function linesIn({ section, file }: Scope): SettingLine[] {
  return settingNodes(section?.body ?? file.document.body).map((node) => ({ node, file }));
}

function settingNodes(body: readonly Node[]): Directive[] {
  return body.flatMap((node) => {
    if (node.kind === 'directive') return SETTING_KEYS.has(node.key) ? node : [];
    return node.kind === 'section' && isConditional(node) ? settingNodes(node.body) : [];
  });
}
