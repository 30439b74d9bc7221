import { completeOptions, findTarget, ignoringOf, loadPaths, loadStdin, placeOf } from '../../input';
import type { Io, Services } from '../../io';
import { type DebugRequest } from '../../options';
import { OK } from '../../output';
import { runOptions } from '../compute';
import { jsonOfBytes } from '../../../report';
import { accessText } from './access';
import { treeFor } from '../../../engine';
import { accessView } from '../../../access';
import { findingsText, findingsView } from './findings';
import { treeText, treeView } from './tree';

/** The shape of the documents; raised when a field changes its meaning or goes. */
const VERSION = 1;

/**
 * Prints what the tool has made of a configuration at one point on the way from bytes to diff: the tree it has read, what it
 * knows of access, or what the rules have found before anything of it is applied. Changes nothing.
 * @returns 0
 * @throws Trouble, SourceError, UsageError
 */
export function debug({ subject, options: given }: DebugRequest, io: Io, services: Services): number {
  const options = completeOptions(given, io, services);
  const target = findTarget(options, io, services);
  const loaded =
    options.paths[0] === '-'
      ? loadStdin(options, io)
      : loadPaths(services.source, options, io, () => undefined);
  const { tree: read, reread } = loaded;
  const tree = treeFor(read, { target: target.release });
  // What could not be read makes all the rest incomplete.
  for (const { name, message } of tree.unreadable) io.stderr.write(`httpd-codemod: ${name}: ${message}\n`);
  const print = <View extends object>(view: View, text: (view: View) => string): void =>
    io.stdout.write(options.format === 'json' ? jsonOfBytes({ version: VERSION, ...view }) : text(view));
  if (subject === 'tree') print(treeView(tree), treeText);
  else if (subject === 'access') print(accessView(tree), accessText);
  else {
    const { source, cwd } = placeOf(loaded, services.source, io);
    const engineOptions = {
      ...runOptions(options, target, services),
      ...ignoringOf(tree, source, options, io, cwd),
    };
    print(findingsView({ tree, reread }, services.transforms, engineOptions), findingsText);
  }
  return OK;
}
