import { type ConfigTree, accessNamesByHost, isIncludeProblem } from '../../config';
import type { Collected } from '../collect';
import { type AllowOverrideIndex, unseenDirectories } from '../override';
import type { Scope } from '../policy';
import { isWithin, parentOf } from '../primitives';
import type { Located } from './question';
import { type ChosenHost, vhostText } from './virtual-host';

/** What an answer hangs on beside the sections of the run. */
export interface NotKnown {
  /** What was not read, or is not followed: without it nobody can be sure of the answer. */
  readonly unknown: readonly string[];
  /** What is taken to be so, as there is nothing to read. */
  readonly assumed: readonly string[];
}

/**
 * What the run has not read of what a server reads for one request.
 * @param live the sections that the server reads
 * @param host the server that answers
 */
export function notKnown(
  tree: ConfigTree,
  { mapping }: Collected,
  live: readonly Scope[],
  overrides: AllowOverrideIndex,
  { uri, filename }: Located,
  { vhost, isGuess }: ChosenHost,
): NotKnown {
  const unknown: string[] = [];
  const assumed: string[] = [];
  for (const { file, at, message, ...problem } of tree.problems)
    if (isIncludeProblem({ file, at, message, ...problem }))
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
  if (
    tree.accessDiffers &&
    accessNamesByHost(tree) === undefined &&
    files.some(({ pattern }) => pattern.kind === 'path' && isWithin(directory, pattern.path))
  )
    unknown.push(
      'which of the files that AccessFileName names are read: it is not the same for all requests',
    );
  return { unknown, assumed };
}
