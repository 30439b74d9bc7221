import { type ConfigTree, type Place, hostAround } from '../../config';
import { collect, factsOf, serverDirectory } from '../collect';
import { fileMatches, state22 } from '../models';
import { splitUnread } from '../override';
import { type Facts, type Scope, directoryOf, isWrittenFor24, scopesInUse } from '../policy';
import {
  EMPTY_LIST,
  type MethodClass,
  OTHER_METHODS,
  isGlob,
  isTemplatePath,
  memo,
  normalisePath,
  mayBeOnOneWay,
} from '../primitives';
import { gapOfState, isDirectory, tellsByMethodOrOwner } from './directory-requests';

/** The sections of a tree that may tell GET from other methods for directories, each with the methods; and all that are read. */
const sectionsTelling = memo((tree: ConfigTree) => {
  const collected = collect(tree);
  const facts = factsOf(collected, tree);
  const { live } = splitUnread(scopesInUse(collected.scopes, tree), collected.mapping, tree);
  const isOf22 = (scope: Scope): boolean => collected.shows22 || !isWrittenFor24(scope);
  const telling = live.filter((scope) => isDirectory(scope) && tellsByMethodOrOwner(scope) && isOf22(scope));
  const withMethods = telling.map((scope) => ({ scope, methods: methodsBesideGet(scope, facts) }));
  return { live, telling: withMethods.filter(({ methods }) => methods.length > 0) };
});

/** By which methods a section may let in more than by GET, whatever stands above it. */
function methodsBesideGet(scope: Scope, facts: Facts): readonly MethodClass[] {
  const isOfSatisfy = scope.policy.satisfy.some(({ mask }) => mask.names.size > 0);
  const states = [true, false].map((holds) => state22([scope], facts, () => holds));
  const gaps = states.flatMap((state) => gapOfState(state, facts) ?? EMPTY_LIST);
  const methods = gaps[0]?.methods ?? EMPTY_LIST;
  return methods.length === 0 && isOfSatisfy ? [OTHER_METHODS, ...facts.classes] : methods;
}

/**
 * The methods by which an index file that DirectoryIndex names in another directory may be sent to whom GET is refused: where
 * Directory sections alone decide, 2.2 asked whether it may be had by GET, and 2.4 does not if the same sections are met (2.2
 * server/request.c: ap_directory_walk). None where a Files section for the name makes 2.4 ask everywhere.
 * @param name as the line has it: with a slash
 * @param place of the line
 */
export function methodsForOtherIndex(tree: ConfigTree, name: string, place: Place): readonly MethodClass[] {
  const { live } = sectionsTelling(tree);
  const base = name.slice(name.lastIndexOf('/') + 1);
  const isForName = (scope: Scope): boolean =>
    scope.kind === 'files' &&
    scope.parent === undefined &&
    scope.pattern.kind === 'path' &&
    fileMatches(scope, base);
  const isOfAll = ({ vhost, aroundLines }: Scope): boolean => vhost === undefined && aroundLines.length === 0;
  if (live.some((scope) => isForName(scope) && isOfAll(scope))) return EMPTY_LIST;
  return tellingAt(tree, place)[0]?.methods ?? EMPTY_LIST;
}

/**
 * Whether a section for directories lets in more by a method than by GET, where a line may be in force.
 * @param method any other than GET if undefined
 * @param place of the line
 */
export function letsInMoreThanByGet(tree: ConfigTree, method: string | undefined, place: Place): boolean {
  const { classes } = factsOf(collect(tree), tree);
  const asked = classes.find((named) => named === method) ?? OTHER_METHODS;
  return tellingAt(tree, place).some(({ methods }) => method === undefined || methods.includes(asked));
}

/** The sections that may tell GET from other methods where a line may be in force. */
function tellingAt(tree: ConfigTree, place: Place): ReturnType<typeof sectionsTelling>['telling'] {
  const host = hostAround(place.chain);
  const within = directoriesAround(place);
  return sectionsTelling(tree).telling.filter(({ scope }) => {
    const path = directoryOf(scope);
    if (host !== undefined && scope.vhost !== undefined && scope.vhost !== host) return false;
    return path === undefined || within === undefined || within.some((top) => mayBeOnOneWay(path, top));
  });
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
