import { type ConfigTree, accessNamesByHost, isIncludeProblem } from '../../config';
import type { Directive } from '../../syntax';
import { type Collected, collect, factsOf } from '../collect';
import { classOf, isUnsure, scopesRead, state24, stateCompat } from '../models';
import { splitUnread, type AllowOverrideIndex, unseenDirectories } from '../override';
import { type Facts, type Scope, isWrittenFor24, openTestNames, sectionWithPlace } from '../policy';
import { type AccessAnswer, type Config, type RequestPlace, isWithin, parentOf } from '../primitives';
import { shownAt } from '../view';
import { settingsOf } from './answering';
import { type Excerpt, excerptsOf, linesInEffect22, linesInEffect24 } from './deciding';
import { type AccessQuestion, type Located, locate } from './question';
import { inUse, metBy, saysSomething, sectionsRead } from './sections-read';
import { type Explained22, type Explained24, explain22, explain24, explainCompat } from './steps';
import { variableReader } from './variables';
import { type ChosenHost, findHost, hostForFile, hostForSite, hostTaken, vhostText } from './virtual-host';

export interface Explanation {
  readonly located: Located;
  readonly v22: Explained22;
  readonly v24: Explained24;
  /** The virtual host that answers, as its opening line has it; undefined for the main server. */
  readonly server: string | undefined;
  /** Where the lines stand that are in effect, in the configuration as it is and in the rewrite. */
  readonly decidedBy: { readonly before: readonly Excerpt[]; readonly after: readonly Excerpt[] };
  /** Conditional blocks that change an answer, and what it is then. */
  readonly otherwise: readonly {
    readonly when: string;
    readonly v22: AccessAnswer;
    readonly v24: AccessAnswer;
  }[];
  /** Both versions give the same answer, and nothing is unknown. */
  readonly agree: boolean;
  /** What was not read, or is not followed: without it nobody can be sure of the answer. */
  readonly unknown: readonly string[];
  /** What is taken to be so, as nothing was given that says otherwise. */
  readonly assumed: readonly string[];
}

/** Virtual hosts, at most, that are all asked where the request names none. */
const MAX_HOSTS = 100;

/**
 * How both versions decide one request, section by section: 2.2 over the configuration as it is, 2.4 (without mod_access_compat)
 * over the rewrite. Where the request names no virtual host, the versions agree if they do in every one that may answer.
 * @returns undefined where no virtual host has the name asked for
 */
export function explain(
  before: ConfigTree,
  after: ConfigTree,
  question: AccessQuestion,
): Explanation | undefined {
  const old = collect(before);
  const host = hostOf(question, old, before);
  if (host === undefined) return undefined;
  const explanation = explainAt(before, after, question, host);
  if (host.isGuess !== true || !explanation.agree) return explanation;
  const others = old.mapping.hostsExcept(new Set([host.vhost]));
  const agreesAt = (vhost: ChosenHost['vhost']): boolean =>
    explainAt(before, after, question, { vhost }).agree;
  if (others.length <= MAX_HOSTS && others.every(agreesAt)) return explanation;
  const unknown = [
    ...explanation.unknown,
    'which virtual host answers: it is not known that the versions agree in each of them (name one with vhost=)',
  ];
  return { ...explanation, agree: false, unknown };
}

/** A setting of the undecided conditionals: each holds. */
const ALL_HOLD = (): boolean => true;

/** The lines that decide on the server that runs the configuration: on a 2.4 with mod_access_compat those of both kinds. */
function linesInEffect(met: readonly Scope[], facts: Facts, method: string): ReadonlySet<Directive> {
  const { compat, core } = stateCompat(met, facts, ALL_HOLD);
  const lines = linesInEffect22(met, compat, classOf(method, facts));
  return facts.reading === 'compat' ? new Set([...lines, ...linesInEffect24(met, core.tree)]) : lines;
}

/** What SSLRequire lines say, which no model asks. */
function sslExpressions(met: readonly Scope[]): readonly string[] {
  const lines = met.flatMap(({ ssl }) => ssl.filter(({ node }) => node.key === 'sslrequire'));
  return lines.map(
    ({ node, file }) => `what SSLRequire at ${file.name}:${file.document.positionAt(node.from).line} says`,
  );
}

function explainAt(
  before: ConfigTree,
  after: ConfigTree,
  question: AccessQuestion,
  host: ChosenHost,
): Explanation {
  const old = collect(before);
  const { vhost } = host;
  const located = locate(question, vhost, old, before);
  const target = { uri: located.uri ?? '', filename: located.filename };
  const isInUse = inUse(before);
  const met = (collected: Collected, tree: ConfigTree): readonly Scope[] =>
    metBy(sectionsRead(collected, tree, isInUse), target, vhost).filter(saysSomething);
  const [met22, met24] = [met(old, before), met(collect(after), after)];
  const facts = factsOf(old, before);
  const inForce = old.scopes.filter(isInUse);
  const { live, overrides } = splitUnread(inForce, old.mapping, before);
  const readVariables = variableReader(before, { vhost, before: met22, after: met24 });
  const variables = readVariables(question, located.uri);
  // What a 2.4 with mod_access_compat reads.
  const asCompat = (tree: ConfigTree, config: Config): { facts: Facts; met: Scope[] } => {
    const collected = collect(tree, 'compat');
    return { facts: factsOf(collected, tree), met: scopesRead(met(collected, tree), config, '2.2') };
  };
  const ask = (config: Config): { v22: Explained22; v24: Explained24; unknown: string[] } => {
    const request = { ...question, ...target, env: variables.set, config };
    const unknown: string[] = [];
    const compatOf = (tree: ConfigTree, doubts: string[]): Explained22 => {
      const compat = asCompat(tree, config);
      return explainCompat(compat.met, compat.facts, request, doubts);
    };
    // Only a 2.4 reads these.
    const mixed = scopesRead(met22, config, '2.2').some(isWrittenFor24);
    const v22 = mixed
      ? compatOf(before, unknown)
      : explain22(scopesRead(met22, config, '2.2'), facts, request, overrides, unknown);
    const read24 = scopesRead(met24, config, '2.4');
    return { v22, v24: explain24(read24, request, unknown, () => compatOf(after, []).answer), unknown };
  };
  const tests = openTestNames([...met22, ...met24]);
  const { v22, v24, unknown } = ask(ALL_HOLD);
  const running =
    v22.reading === 'compat'
      ? asCompat(before, ALL_HOLD)
      : { facts, met: scopesRead(met22, ALL_HOLD, '2.2') };
  const read24 = scopesRead(met24, ALL_HOLD, '2.4');
  if (question.tls) unknown.push(...sslExpressions(met22));
  const missing = notKnown(before, old, live, overrides, located, host);
  const unmatched = sectionsNotMatched(inForce, met22, target);
  unknown.unshift(...(host.unknown ?? []), ...located.unknown, ...missing.unknown, ...unmatched);
  const [, ...otherSettings] = settingsOf(tests);
  const otherwise = otherSettings.flatMap(({ when, config }) => {
    const answers = ask(config);
    const same = answers.v22.answer === v22.answer && answers.v24.answer === v24.answer;
    return same ? [] : [{ when, v22: answers.v22.answer, v24: answers.v24.answer }];
  });
  const agree =
    v22.answer === v24.answer &&
    otherwise.every((answers) => answers.v22 === answers.v24 && answers.v22 !== '?');
  return {
    located,
    v22,
    v24,
    otherwise,
    agree: agree && unknown.length === 0 && v22.answer !== '?',
    unknown,
    assumed: [...(host.assumed ?? []), ...missing.assumed, ...new Set(variables.assumed)],
    server: vhost && vhostText(before, vhost),
    decidedBy: {
      before: excerptsOf(running.met, linesInEffect(running.met, running.facts, question.method)),
      after: excerptsOf(read24, linesInEffect24(read24, state24(read24, ALL_HOLD).tree)),
    },
  };
}

/** @returns undefined where no virtual host has the name asked for */
function hostOf(
  { vhost: name, site, isFile, path, tls }: AccessQuestion,
  { mapping }: Collected,
  tree: ConfigTree,
): ChosenHost | undefined {
  if (name !== undefined) {
    const vhost = findHost(tree, name);
    return vhost && { vhost };
  }
  if (isFile === true) return hostForFile(tree, mapping, path, site);
  const host = site && hostForSite(tree, site);
  if (host?.vhost !== undefined || site?.host !== undefined || tls) return host ?? hostTaken(tree, mapping);
  // The usual port, which nobody named, does not lead past the only servers that are known.
  const taken = hostTaken(tree, mapping);
  return taken.vhost === undefined ? (host ?? taken) : taken;
}

/** Sections for which it is not known whether the request meets them. */
function sectionsNotMatched(scopes: readonly Scope[], met: readonly Scope[], target: RequestPlace): string[] {
  const unsure = new Set(met.filter((scope) => isUnsure(scope, target)));
  return scopes
    .filter(
      (scope) =>
        scope.placeUnknown ||
        (scope.kind === 'directory' && scope.pattern.kind === 'any') ||
        scope.kind === 'proxy' ||
        unsure.has(scope),
    )
    .filter(saysSomething)
    .map((scope) => {
      const why = unsure.has(scope)
        ? 'whether its pattern matches'
        : scope.kind === 'proxy'
          ? 'whether the request is proxied'
          : 'where it lies';
      return `${sectionWithPlace(shownAt(scope))}: ${why}`;
    });
}

/** What the run has not read of what a server reads for a request. @param live what the server reads; `host` who answers */
export function notKnown(
  tree: ConfigTree,
  { mapping }: Collected,
  live: readonly Scope[],
  overrides: AllowOverrideIndex,
  { uri, filename }: Located,
  { vhost, isGuess }: ChosenHost,
): Pick<Explanation, 'unknown' | 'assumed'> {
  const unknown: string[] = [];
  const assumed: string[] = [];
  for (const { file, at, message } of tree.problems.filter(isIncludeProblem))
    unknown.push(`what is not included at ${file.name}:${file.document.positionAt(at).line}: ${message}`);
  for (const { name, message } of tree.unreadable) unknown.push(`what ${name} says: ${message}`);
  if (isGuess === true && vhost !== undefined)
    assumed.push(`the first virtual host answers, ${vhostText(tree, vhost)}: name another with vhost=`);
  else if (isGuess === true && !mapping.reachesMain)
    assumed.push(
      'the main server answers, though every request goes to a virtual host: name one with vhost=',
    );
  else if (isGuess === true && mapping.hostsExcept().some((host) => host !== undefined))
    assumed.push(
      'the main server answers, as it does where no virtual host is for the address and port: name one with vhost=',
    );
  for (const pattern of uri === undefined ? [] : mapping.rewrites.patternsFor(vhost, uri))
    unknown.push(`whether RewriteRule ${pattern} leads the request elsewhere, or refuses it`);
  if (!tree.isServer) {
    assumed.push('nothing is said outside of the files given, as no server configuration is among them');
    return { unknown, assumed };
  }
  const directory = filename.endsWith('/') ? filename.slice(0, -1) || '/' : parentOf(filename);
  for (const { path, name, message } of tree.unvisited)
    if (isWithin(directory, path) && !tree.seen.includes(path)) unknown.push(`${name}: ${message}`);
  const files = live.filter(({ kind }) => kind === 'htaccess');
  if (unseenDirectories(files, [directory], overrides, { ...tree, unvisited: [] }) !== undefined)
    assumed.push(`no .htaccess that is read for ${directory} says anything, as that directory was not given`);
  const isAbove = ({ pattern }: Scope): boolean =>
    pattern.kind === 'path' && isWithin(directory, pattern.path);
  if (tree.accessDiffers && accessNamesByHost(tree) === undefined && files.some(isAbove))
    unknown.push(
      'which of the files that AccessFileName names are read: it is not the same for all requests',
    );
  return { unknown, assumed };
}
