import { type ConfigTree, type Place, hostAround } from '../../config';
import type { Section } from '../../syntax';
import { type Collected, collect, factsOf, serverDirectory } from '../collect';
import { splitUnreadFiles } from '../override';
import { type Scope, directoryOf, includedScopes } from '../policy';
import {
  EMPTY_LIST,
  areSameLists,
  type MethodClass,
  PathList,
  isGlob,
  isTemplatePath,
  isWithin,
  normalisePath,
  parentOf,
  getOrInsert,
} from '../primitives';
import { type RequestTarget, conditionalSettings } from '../verify';
import {
  DirectoryRequests,
  SectionPlaces,
  inside,
  isDirectory,
  isForMany,
  isHandled,
  tellsByMethodOrOwner,
} from './directory-requests';

/** Directories that are tried for all lines of a run: where more would be, the lines that follow are not looked into. */
const MAX_TRIES = 20_000;

/**
 * Index files that DirectoryIndex names in one directory for others, where Directory sections alone decide: 2.2 asked in each
 * other directory whether the file may be had by GET, and 2.4 does not where the same sections are met (2.2 server/request.c:
 * ap_directory_walk).
 */
export class IndexFilesElsewhere {
  readonly #mapping: Collected['mapping'];
  readonly #requests: DirectoryRequests;
  /** Sections in which a request may be told from another by its method: those for one directory by that, and the others. */
  readonly #byDirectory = new Map<string, Scope[]>();
  readonly #forMany: Scope[] = [];
  readonly #directories: PathList;
  /** All but GET. */
  readonly #methods: readonly MethodClass[];
  readonly #answers = new Map<Section | undefined, Map<string, readonly MethodClass[]>>();
  #tries = 0;

  constructor(tree: ConfigTree) {
    const collected = collect(tree);
    const { scopes, otherSections, mapping } = collected;
    const facts = factsOf(collected, tree);
    const { live, overrides } = splitUnreadFiles(includedScopes(scopes), mapping, tree);
    const others = includedScopes(otherSections()).filter(({ kind }) => kind === 'location');
    const telling = live.filter(tellsByMethodOrOwner);
    this.#mapping = mapping;
    this.#requests = new DirectoryRequests(collected, facts, live, others, overrides.files);
    if (telling.length > 0) {
      const places = new SectionPlaces(telling, mapping);
      for (const scope of live) if (isDirectory(scope) && places.mayMeet(scope)) this.#add(scope);
    }
    this.#directories = new PathList(this.#byDirectory.keys());
    this.#methods = facts.classes.filter((method) => method !== 'GET');
  }

  #add(scope: Scope): void {
    const path = directoryOf(scope);
    const list = path === undefined ? this.#forMany : this.#byDirectory.get(path);
    if (list === undefined) this.#byDirectory.set(path!, [scope]);
    else list.push(scope);
  }

  /**
   * The methods by which a file is sent to whom GET is refused, or may be; none if there are none.
   * @param name as the line has it: with a slash
   * @param place of the line
   */
  methodsFor(name: string, place: Place): readonly MethodClass[] {
    const vhost = hostAround(place.chain);
    const answers = getOrInsert(this.#answers, vhost, () => new Map<string, readonly MethodClass[]>());
    const within = directoriesAround(place);
    const key = JSON.stringify([name, within]);
    return getOrInsert(answers, key, () => this.#find(name, vhost, within));
  }

  /** @param within where the line is in force, and below; undefined for anywhere */
  #find(
    name: string,
    ofHost: Section | undefined,
    within: readonly string[] | undefined,
  ): readonly MethodClass[] {
    for (const top of within ?? ['/'])
      for (const scope of this.#sectionsFor(top)) {
        if (ofHost !== undefined && scope.vhost !== undefined && scope.vhost !== ofHost) continue;
        for (const { directory, vhost } of this.#triedOn(scope, top, ofHost)) {
          if (++this.#tries > MAX_TRIES) return this.#methods;
          const methods = this.#methodsIn(scope, directory, name, vhost);
          if (methods.length > 0) return methods;
        }
      }
    return EMPTY_LIST;
  }

  /** The directories that are tried where a section is met, each once for a server. */
  *#triedOn(
    scope: Scope,
    top: string,
    ofHost: Section | undefined,
  ): ReturnType<DirectoryRequests['directoriesOf']> {
    const tried = new Map<Scope['vhost'], Set<string>>();
    for (const { directory, vhost } of this.#requests.directoriesOf(scope, ofHost)) {
      const names = getOrInsert(tried, vhost, () => new Set<string>());
      for (const from of this.#directoriesIn(top, directory, vhost)) {
        const place = `${from.filename} ${from.uri}`;
        if (names.has(place)) continue;
        names.add(place);
        yield { directory: from, vhost };
      }
    }
  }

  /** The sections for a directory, for what lies above it and below it, and those for many. */
  #sectionsFor(top: string): readonly Scope[] {
    const paths = new Set(this.#directories.below(top));
    for (let at = top; at !== '/'; at = parentOf(at)) paths.add(parentOf(at));
    const found = [...paths].flatMap((path): readonly Scope[] => this.#byDirectory.get(path) ?? EMPTY_LIST);
    return [...found, ...this.#forMany];
  }

  /** A tried directory where the line is in force, and the line's own; each with one below it, as none is named. */
  #directoriesIn(top: string, tried: RequestTarget, vhost: Scope['vhost']): readonly RequestTarget[] {
    const found = isWithin(normalisePath(tried.filename), top) ? [tried] : [];
    const url = top === '/' ? undefined : this.#mapping.urlOf(vhost, `${top}/w`);
    if (url !== undefined) found.push({ ...tried, uri: url.slice(0, -1), filename: `${top}/` });
    return found.flatMap((directory) => [directory, inside(directory, 'w/')]);
  }

  #methodsIn(
    scope: Scope,
    directory: RequestTarget,
    name: string,
    vhost: Scope['vhost'],
  ): readonly MethodClass[] {
    const file = this.#fileAt(name, directory, vhost);
    if (file === undefined || isIn(file, directory)) return EMPTY_LIST;
    const met = this.#requests.met(directory, vhost, scope);
    if (met.some((other) => isForMany(other) || isHandled(other.section?.body ?? EMPTY_LIST)))
      return EMPTY_LIST;
    if (!areSameLists(this.#requests.met(file, vhost, scope), met)) return EMPTY_LIST;
    for (const config of conditionalSettings(met)) {
      const methods = this.#requests.gap(met, config)?.methods ?? EMPTY_LIST;
      if (methods.length > 0) return methods;
    }
    return EMPTY_LIST;
  }

  #fileAt(name: string, directory: RequestTarget, vhost: Scope['vhost']): RequestTarget | undefined {
    if (!name.startsWith('/')) return inside(directory, name);
    const filename = this.#mapping.fileOf(vhost, name)?.filename;
    return filename === undefined ? undefined : { ...directory, uri: name, filename };
  }
}

/** Whether a file lies in a directory itself. */
function isIn(file: RequestTarget, directory: RequestTarget): boolean {
  return file.filename.slice(0, file.filename.lastIndexOf('/') + 1) === directory.filename;
}

/** The directories that a line is for, with what lies below them; undefined where that is not one, or any. */
function directoriesAround({ root, chain }: Place): readonly string[] | undefined {
  if (root.role === 'htaccess') return root.directories.map(serverDirectory);
  const section = chain.findLast(({ section: { key } }) =>
    /^(?:directory|files|location)/.test(key),
  )?.section;
  const path = section?.key === 'directory' && section.args.length === 1 ? section.args[0]!.value : undefined;
  return path?.startsWith('/') === true && !isGlob(path) && !isTemplatePath(path)
    ? [normalisePath(path)]
    : undefined;
}
