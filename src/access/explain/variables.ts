import { type ConfigFile, type ConfigTree, isConditional, linesOf, serversOf } from '../../config';
import { findsPattern } from '../../regex';
import type { Directive, Node, Section } from '../../syntax';
import type { Scope } from '../policy';
import type { AccessQuestion } from './question';

/** The variables that access lines ask for, as SetEnvIf and BrowserMatch set them for a request. */
export interface RequestVariables {
  /** Lower case: those said to be set, too. */
  readonly set: ReadonlySet<string>;
  /** Variables that may be set too, lower case: nothing says what a line that sets them looks at. */
  readonly open: ReadonlySet<string>;
  /** What is taken to be so, as the request does not say what a line looks at. */
  readonly assumed: readonly string[];
}

interface SettingLine {
  readonly node: Directive;
  readonly file: ConfigFile;
}

const SETTING = ['SetEnvIf', 'SetEnvIfNoCase', 'BrowserMatch', 'BrowserMatchNoCase'];
const SETTING_KEYS = new Set(SETTING.map((name) => name.toLowerCase()));

/** Where a request goes, and the sections that it meets of both texts. */
export interface SettingPlace {
  readonly vhost: Section | undefined;
  readonly before: readonly Scope[];
  readonly after: readonly Scope[];
}

/** What a request says of itself, as far as a SetEnvIf line looks at it. */
type SettingRequest = Pick<AccessQuestion, 'env' | 'host' | 'method' | 'headers'> & {
  /** Undefined where only its name is known. */
  readonly address: string | undefined;
};

/**
 * Made once for all requests that meet the same sections. The lines are read as mod_setenvif does: those of the server, then
 * those of the sections that the request meets (mod_setenvif.c: match_headers). A header that a request is known not to have is
 * empty.
 */
export function variableReader(
  tree: ConfigTree,
  { vhost, before, after }: SettingPlace,
): (question: SettingRequest, uri: string | undefined) => RequestVariables {
  const wanted = namesAskedFor([...before, ...after]);
  const rows = wanted.size === 0 ? [] : [...serverLines(tree, vhost), ...before.flatMap(linesIn)].map(rowOf);
  return (question, uri) => {
    const found = new Set<string>();
    const open = new Set<string>();
    const assumed: string[] = [];
    for (const { node, file, attribute, pattern, names } of rows) {
      const settings = names.filter(({ name }) => wanted.has(name) && !question.env.has(name));
      if (settings.length === 0) continue;
      const value = valueOf(attribute.toLowerCase(), question, uri);
      const matches =
        value === undefined ? undefined : findsPattern(pattern, value, node.key.endsWith('nocase'));
      for (const { name, asWritten, unset } of settings) {
        if (matches === undefined) {
          open.add(name);
          assumed.push(
            `${asWritten} is not set by ${node.name} ${attribute} at ${file.name}:${file.document.positionAt(node.from).line} (env=${asWritten} if it is)`,
          );
        } else if (matches && unset) found.delete(name);
        else if (matches) found.add(name);
      }
    }
    return { set: new Set([...found, ...question.env]), open, assumed };
  };
}

/** What a line sets or unsets, and by what. */
function rowOf({ node, file }: SettingLine): SettingLine & {
  readonly attribute: string;
  readonly pattern: string;
  readonly names: readonly { readonly name: string; readonly asWritten: string; readonly unset: boolean }[];
} {
  const words = node.args.map(({ value }) => value);
  const ofBrowser = node.key.startsWith('browsermatch');
  const [attribute = '', pattern = '', ...settings] = ofBrowser ? ['User-Agent', ...words] : words;
  const names = settings.map((setting) => {
    const asWritten = setting.replace(/^!/, '').replace(/=.*/s, '');
    return { name: asWritten.toLowerCase(), asWritten, unset: setting.startsWith('!') };
  });
  return { node, file, attribute, pattern, names };
}

/** The text that a line looks at; undefined where it is not known. @param attribute lower case */
function valueOf(
  attribute: string,
  { address, host, method, headers }: SettingRequest,
  uri: string | undefined,
): string | undefined {
  switch (attribute) {
    case 'remote_addr':
      return address;
    case 'remote_host':
      return host;
    case 'request_method':
      return method;
    case 'request_uri':
      return uri;
    default:
      return headers?.get(attribute);
  }
}

/** Lower case. */
function namesAskedFor(met: readonly Scope[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { policy, lines } of met) {
    for (const { words } of policy.hosts?.lines ?? [])
      for (const word of words) if (word.kind === 'env') names.add(word.name.toLowerCase());
    for (const { node } of lines.requires24) {
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
