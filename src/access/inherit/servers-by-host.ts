import type { Section } from '../../syntax';
import { isNeverMetBy22 } from '../collect';
import { HostsByTarget, type Target, type UrlMapping, directoriesOnTheWay, keyOf, reaches } from '../mapping';
import { slashesIn } from '../models';
import type { FilesByHost } from '../override';
import { type Scope, directoryOf, hostRank } from '../policy';
import { EMPTY_LIST, PathList, getOrInsert, lazy, addTo, memo, directoriesAbove } from '../primitives';
import { AlikeServers } from './alike-servers';
import { type SectionLayer, type ServerSections, layerOf, pathsIn, placesOf, regexesIn } from './merge-order';

/** Fewer servers than these are each asked. */
const MANY_HOSTS = 3;

/** What a request can meet in each virtual host with sections of its own, and in all others (undefined). */
export class ServerSectionsByHost {
  readonly #byHost = new Map<Section | undefined, Scope[]>([[undefined, []]]);
  readonly #hosts: ReadonlySet<Section | undefined>;
  readonly #byPlace = lazy(
    () => new HostsByTarget([...this.#hosts], (vhost) => placesOf(this.#layer(vhost))),
  );
  readonly #mainPaths = lazy(() => new PathList(pathsIn(this.#layer(undefined))));
  /** The main server's own sections, whatever its requests come to. */
  readonly #whole = lazy(() => this.#make(undefined, undefined));
  readonly #servingHosts = lazy(() => {
    const serving = [...this.#hosts].filter((vhost) => this.#served(vhost).length > 0);
    return new HostsByTarget(serving, (vhost) => this.#targetsOf(vhost));
  });
  readonly #sortsOf = lazy(
    () =>
      new AlikeServers({
        byPlace: this.#byPlace(),
        serving: this.#servingHosts(),
        targetsOf: (vhost) => this.#targetsOf(vhost),
        mainPaths: this.#mainPaths(),
        files: this.files,
      }),
  );

  /** @param scopes all sections of the run that set something */
  constructor(
    scopes: readonly Scope[],
    private readonly mapping: UrlMapping,
    private readonly files: FilesByHost,
  ) {
    for (const vhost of files.hosts) this.#byHost.set(vhost, []);
    for (const scope of scopes) addTo(this.#byHost, scope.vhost, scope);
    this.#hosts = new Set(this.#byHost.keys());
  }

  /** The servers whose requests can come to a scope; all where DocumentRoot and Alias lead none of them there. */
  of(scope: Scope): readonly ServerSections[] {
    if (scope.vhost !== undefined || this.#hosts.size === 1) return [this.#at(scope.vhost)];
    const servers = this.#comingTo(scope);
    const reading = servers.filter(({ vhost }) => this.files.isRead(scope, vhost));
    return reading.length > 0 ? reading : servers;
  }

  /** The servers that one of {@link of} stands for: a request to each has met the same when it comes to the scope. */
  hostsLike({ vhost, hosts }: ServerSections, scope: Scope): readonly (Section | undefined)[] {
    const place = directoryOf(scope);
    if (vhost === undefined || vhost === scope.vhost || place === undefined) return hosts;
    const serving = this.#servingHosts().reaching(place);
    if (serving.length < MANY_HOSTS) return hosts;
    return this.#sortsOf().like(vhost, serving, scope) ?? hosts;
  }

  /** A name for each server of the run, which no other has. */
  nameOf(vhost: Section | undefined): string {
    return vhost === undefined ? '' : String([...this.#hosts].indexOf(vhost));
  }

  #comingTo(scope: Scope): readonly ServerSections[] {
    const place = directoryOf(scope);
    const serving = place === undefined ? [] : this.#servingHosts().reaching(place);
    if (place === undefined || serving.length === 0)
      return this.#servingHosts().hosts.map((vhost) => this.#at(vhost));
    const asked = serving.length < MANY_HOSTS ? serving : this.#sortsOf().oneOfEach(serving, scope);
    return asked.map((vhost) => this.#at(vhost));
  }

  readonly #layer = memo((vhost: Section | undefined) => layerOf(this.#byHost.get(vhost)!), new Map());

  /** What stands in the main server and in the `.htaccess` files that a host reads. */
  #mainLayerIn(vhost: Section | undefined): SectionLayer {
    if (!this.files.ignoresAny(vhost)) return this.#layer(undefined);
    return layerOf(this.#byHost.get(undefined)!.filter((scope) => this.files.isRead(scope, vhost)));
  }

  /** Made when first asked for: most runs ask about few of them. */
  readonly #at = memo((vhost: Section | undefined) => this.#make(vhost, this.#targetsOf(vhost)), new Map());

  #make(vhost: Section | undefined, targets: ServerSections['targets']): ServerSections {
    const main = this.#mainLayerIn(vhost);
    const ofHost = vhost === undefined ? [] : [this.#layer(vhost)];
    const layers = [main, ...ofHost];
    // As a rule many hosts have the same targets that stand for any number of directories.
    const wide = (targets ?? EMPTY_LIST).filter(({ kind }) => kind !== 'directory');
    const others = (targets ?? EMPTY_LIST).filter(({ kind }) => kind === 'directory');
    const mainPaths = this.#mainPaths();
    const shared = targets === undefined ? [mainPaths] : wide.map((target) => this.#pathsTo(target));
    const ownPaths = ofHost.flatMap(pathsIn);
    const paths = new PathList(
      [
        ...(targets === undefined ? [] : directoriesOnTheWay(mainPaths, others)),
        // What the main server names above is met on the way, also where no URL leads there.
        ...ownPaths.flatMap((path) => [
          path,
          ...directoriesAbove(path).filter((above) => mainPaths.has(above)),
        ]),
      ],
      shared,
    );
    const regexes = layers.flatMap(regexesIn).filter((scope) => !isNeverMetBy22(scope));
    const isUnlike = vhost === undefined || this.files.ignoresAny(vhost) || ofHost.some(countsAnywhere);
    return {
      vhost,
      hosts: this.#served(vhost),
      targets,
      layers,
      paths,
      wide:
        isUnlike || wide.length === 0
          ? undefined
          : {
              main: this.#whole(),
              targets: wide,
              ofHost: ownPaths
                .filter((path) => wide.some((target) => reaches(target, path)))
                .flatMap((path) => paths.below(path)),
              others,
            },
      regexes: regexes.sort(
        (a, b) => slashesIn(a) - slashesIn(b) || hostRank(a) - hostRank(b) || a.order - b.order,
      ),
      plain: layers.every(
        (layer) => layer.globs.length + layer.anywhere.length + layer.placeUnknown.length === 0,
      ),
      memos: new Map(),
    };
  }

  /** The main server's directories on the way to wide targets. */
  readonly #widePaths = new Map<string, PathList>();

  #pathsTo(target: Target): PathList {
    const make = (): PathList => new PathList(directoriesOnTheWay(this.#mainPaths(), [target]));
    return getOrInsert(this.#widePaths, keyOf(target), make);
  }

  /** Whose requests meet what stands in a host: the main server's are also met by virtual hosts without sections. */
  #served(vhost: Section | undefined): readonly (Section | undefined)[] {
    return vhost === undefined ? this.mapping.hostsExcept(this.#hosts) : [vhost];
  }

  readonly #targetsOf = memo(
    (vhost: Section | undefined) => this.mapping.targetsOfAll(this.#served(vhost)),
    new Map(),
  );
}

/** Whether sections of a host may apply in directories that it does not name. */
function countsAnywhere({ globs, anywhere, placeUnknown, regexes, directories }: SectionLayer): boolean {
  return globs.length + anywhere.length + placeUnknown.length + regexes.length > 0 || directories.has('/');
}
