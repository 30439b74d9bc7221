import type { ConfigTree } from '../../config';
import type { Section } from '../../syntax';
import { type Collected, collect, factsOf } from '../collect';
import { splitUnreadFiles } from '../override';
import { type Scope, includedScopes } from '../policy';
import { EMPTY_LIST, type MethodClass } from '../primitives';
import {
  DirectoryRequests,
  SectionPlaces,
  areSame,
  inside,
  isDirectory,
  isForMany,
  isHandled,
  tellsByMethodOrOwner,
} from './directory-requests';
import { type RequestTarget, conditionalSettings } from './test-requests';

/** Directories that are tried for all lines of a run: where more would be, the lines that follow are not looked into. */
const MAX_TRIES = 20_000;

/**
 * Index files that DirectoryIndex names in one directory for others, where Directory sections alone decide: 2.2 asked in each other directory
 * whether the file may be had by GET, and 2.4 does not where the same sections are met (2.2 server/request.c: ap_directory_walk).
 */
export class IndexFilesElsewhere {
  readonly #mapping: Collected['mapping'];
  readonly #requests: DirectoryRequests;
  /** Sections in which a request may be told from another by its method. */
  readonly #sections: readonly Scope[];
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
    const places = new SectionPlaces(telling, mapping);
    this.#mapping = mapping;
    this.#requests = new DirectoryRequests(collected, facts, live, others, overrides.files);
    this.#sections =
      telling.length === 0 ? [] : live.filter((scope) => isDirectory(scope) && places.mayMeet(scope));
    this.#methods = facts.classes.filter((method) => method !== 'GET');
  }

  /**
   * The methods by which a file is sent to whom GET is refused, or may be; none if there are none.
   * @param name as the line has it: with a slash
   * @param vhost the virtual host that the line stands in; undefined for a line that holds for all
   */
  methodsFor(name: string, vhost: Section | undefined): readonly MethodClass[] {
    let answers = this.#answers.get(vhost);
    if (answers === undefined)
      this.#answers.set(vhost, (answers = new Map<string, readonly MethodClass[]>()));
    let methods = answers.get(name);
    if (methods === undefined) answers.set(name, (methods = this.#find(name, vhost)));
    return methods;
  }

  #find(name: string, ofHost: Section | undefined): readonly MethodClass[] {
    for (const scope of this.#sections) {
      if (ofHost !== undefined && scope.vhost !== undefined && scope.vhost !== ofHost) continue;
      for (const { directory, vhost } of this.#requests.directoriesOf(scope, ofHost))
        // No section tells which directories there are below.
        for (const from of [directory, inside(directory, 'w/')]) {
          if (++this.#tries > MAX_TRIES) return this.#methods;
          const methods = this.#methodsIn(scope, from, name, vhost);
          if (methods.length > 0) return methods;
        }
    }
    return EMPTY_LIST;
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
    if (!areSame(this.#requests.met(file, vhost, scope), met)) return EMPTY_LIST;
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
