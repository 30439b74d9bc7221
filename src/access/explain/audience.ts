import type { ConfigFile, ConfigTree } from '../../config';
import type { Section } from '../../syntax';
import { collect } from '../collect';
import type { UrlMapping } from '../mapping';
import { type Answering, answeringAt } from './answering';
import { type ListedClient, clientsOf } from './clients';
import { SectionsOfBoth, metBy } from './sections-read';
import { type Scope, openTestNames, scopeName, setsSomething } from '../policy';
import { type AccessAnswer, type AccessRequest, getOrInsert, groupBy, lazy } from '../primitives';
import {
  type RequestTarget,
  anyTargets,
  conditionalSettings,
  isMadeUp,
  targetsFor,
  valuesToTry,
} from '../verify';

/** Who asks, in the words of a table: a column. */
export interface AudienceUser {
  /** `none`: no password; `named`: the user, or member of a group, of a line; `other`: any other right password. */
  readonly kind: 'none' | 'named' | 'other';
  readonly name: string | undefined;
}

/** From where, or with what set: a row. */
export interface AudienceRow {
  /** `listed`: some line names it; `unlisted`: none does; `env`: unlisted, with the variables set that lines ask for. */
  readonly kind: 'listed' | 'unlisted' | 'env';
  /** The word of the list, or an address. */
  readonly name: string;
  readonly env: readonly string[];
  /** A cell for each user: `?` where the models do not know. */
  readonly answers: readonly { readonly before: AccessAnswer; readonly after: AccessAnswer }[];
}

/** Who got into a section with GET, and who gets in with the rewrite. */
export interface Audience {
  readonly section: string;
  /** The virtual host that was asked; undefined for the main server. */
  readonly vhost: Section | undefined;
  /** Undefined where no URL is known to lead to the file. */
  readonly uri: string | undefined;
  readonly filename: string;
  readonly users: readonly AudienceUser[];
  readonly rows: readonly AudienceRow[];
}

/** Answers who gets into the section of a place in a file. Sections are collected once, when first asked for. */
export class Audiences {
  readonly #sections = new Map<Scope['unusedPart'], Sections>();
  readonly #byFile = lazy(() => groupBy(collect(this.before).scopes, ({ file }) => file));

  /** @param after the tree as it would be written */
  constructor(
    private readonly before: ConfigTree,
    private readonly after: ConfigTree,
  ) {}

  /** @param at byte offset in the file. @returns undefined where no section or no request for it is known */
  of(file: ConfigFile, at: number): Audience | undefined {
    const scope = this.#scopeAt(file, at);
    if (scope === undefined) return undefined;
    const sections = getOrInsert(
      this.#sections,
      scope.unusedPart,
      () => new Sections(this.before, this.after, scope.unusedPart),
    );
    return sections.audienceOf(scope);
  }

  /** The innermost section around a place, or the `.htaccess`. */
  #scopeAt(file: ConfigFile, at: number): Scope | undefined {
    const around = (this.#byFile().get(file) ?? []).filter(
      ({ section }) => section === undefined || (section.start <= at && at < section.end),
    );
    const start = (scope: Scope): number => scope.section?.start ?? -1;
    return around.reduce<Scope | undefined>(
      (inner, scope) => (inner === undefined || start(scope) > start(inner) ? scope : inner),
      undefined,
    );
  }
}

const MAX_TARGETS = 40;
const MAX_HOSTS = 20;

/** A request, as far as it decides which sections it meets. */
interface Way {
  readonly target: RequestTarget;
  readonly vhost: Scope['vhost'];
  readonly isMapped: boolean;
}

/** The sections that requests can meet together: those in use, and those of one file that nothing includes. */
class Sections {
  readonly #mapping: UrlMapping;
  readonly #sections: SectionsOfBoth;
  readonly #hosts: readonly Scope['vhost'][];

  constructor(before: ConfigTree, after: ConfigTree, unusedPart: Scope['unusedPart']) {
    const { mapping, scopes } = collect(before);
    this.#mapping = mapping;
    this.#sections = new SectionsOfBoth(
      before,
      after,
      (scope) => scope.unusedPart === undefined || scope.unusedPart === unusedPart,
      (scope, isIncluded) => isIncluded(scope, unusedPart),
    );
    const vhosts = new Set([...scopes.map(({ vhost }) => vhost), ...mapping.hostsExcept()]);
    vhosts.delete(undefined);
    this.#hosts = [...(mapping.reachesMain ? [undefined] : []), ...vhosts].slice(0, MAX_HOSTS);
  }

  audienceOf(scope: Scope): Audience | undefined {
    const way = this.#wayTo(scope);
    if (way === undefined) return undefined;
    const { target, vhost } = way;
    const running = this.#sections.runningAt(metBy(this.#sections.before, target, vhost));
    const after = metBy(this.#sections.after, target, vhost);
    const before = metBy(running, target, vhost);
    const all = [...before, ...after];
    const configs = openTestNames(all).length > 0 ? conditionalSettings(all) : undefined;
    return tableOf(scope, way, answeringAt(before, after, target, running.facts, configs));
  }

  /** A request that the section decides as the last one, if there is one; else a request that meets it. */
  #wayTo(scope: Scope): Way | undefined {
    const mapping = this.#mapping;
    const around = scope.parent === undefined ? [scope] : [scope.parent, scope];
    let meeting: Way | undefined;
    const hosts = scope.vhost === undefined ? this.#hosts : [scope.vhost];
    // Where no document root is known, any URL may lead to any file.
    const targetsOf = (isMapped: boolean, vhost: Scope['vhost']): readonly RequestTarget[] =>
      !isMapped
        ? anyTargets(scope, around)
        : mapping.targets(vhost) === undefined
          ? []
          : targetsFor(scope, around, mapping, vhost);
    for (const isMapped of [true, false])
      for (const vhost of hosts)
        for (const target of targetsOf(isMapped, vhost).slice(0, MAX_TARGETS)) {
          const met = metBy(this.#sections.before, target, vhost).filter(setsSomething);
          const way = { target, vhost, isMapped };
          if (met.at(-1)?.order === scope.order) return way;
          if (met.some(({ order }) => order === scope.order)) meeting ??= way;
        }
    return meeting;
  }
}

function tableOf(scope: Scope, { target, vhost, isMapped }: Way, settings: readonly Answering[]): Audience {
  const states = settings.flatMap(({ before }) => before.state ?? []);
  const trees = settings.flatMap(({ before, after }) => [before.tree, after.tree]);
  const { users } = valuesToTry(states, trees);
  const { listed, unlisted, variables } = clientsOf(states, trees);
  const named = users.find(({ user, groups }) => user !== undefined && (!isMadeUp(user) || groups.size > 0));
  const clients = [
    { user: { kind: 'none', name: undefined } as const, as: users[0]! },
    ...(named === undefined
      ? []
      : [{ user: { kind: 'named', name: isMadeUp(named.user!) ? [...named.groups][0] : named.user } as const, as: named }]),
    { user: { kind: 'other', name: undefined } as const, as: users[1]! },
  ]; // prettier-ignore
  const row = (
    kind: AudienceRow['kind'],
    { name, address, host }: ListedClient,
    set: readonly string[],
  ): AudienceRow => ({
    kind,
    name,
    env: set,
    answers: clients.map(({ as }) => {
      const request: AccessRequest = {
        ...target,
        address,
        host,
        ...as,
        method: 'GET',
        env: new Set(set),
        tls: true,
        config: () => true,
      };
      const answer = (when: 'before' | 'after'): AccessAnswer =>
        sameInAll(settings.map((setting) => setting[when].answer(request)));
      return { before: answer('before'), after: answer('after') };
    }),
  });
  return {
    section: scopeName(scope),
    vhost,
    uri: isMapped ? target.uri : undefined,
    filename: target.filename,
    users: clients.map(({ user }) => user),
    rows: [
      ...listed.map((client) => row('listed', client, [])),
      ...(unlisted === undefined ? [] : [row('unlisted', unlisted, [])]),
      ...(unlisted === undefined || variables.length === 0 ? [] : [row('env', unlisted, variables)]),
    ],
  };
}

/** `?` where the answer hangs on a conditional that cannot be decided, or on a pattern that may match. */
function sameInAll(answers: readonly AccessAnswer[]): AccessAnswer {
  return answers.every((answer) => answer === answers[0]) ? answers[0]! : '?';
}
