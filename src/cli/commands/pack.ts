import { resolvePath } from '../../config';
import type { CollectedServer } from '../../collect';
import type { RunResult } from '../../engine/types';
import { encode, scriptReport } from '../../report';
import type { Io, Services } from '../io';
import { type ConvertOptions, isCollected } from '../options';
import { Trouble, UsageError } from '../trouble';
import { shippedScript } from './shipped';

/** @throws UsageError for what means nothing where the tar of a server is converted */
export function checkPacking({ paths, mode, output, plan, backup }: ConvertOptions): void {
  const tar = paths.find(isCollected);
  if (tar === undefined) return;
  if (plan !== undefined) throw new UsageError(`${tar}: --plan is for files that are written in place`);
  if (backup !== undefined) throw new UsageError(`${tar}: --backup is for files that are written in place`);
  if (mode !== 'write') return;
  if (output === undefined)
    throw new UsageError(
      `${tar}: a tar is not written in place: --output converted.tar.gz names the tar to write`,
    );
  if (!isCollected(output))
    throw new UsageError(`--output ${output}: the name must end with .tar.gz or .tar`);
}

/** Writes the tar of a converted server. @throws Trouble, SourceError */
export function pack(
  result: RunResult,
  server: CollectedServer,
  output: string,
  io: Io,
  services: Services,
): void {
  const { tree, plan } = result;
  const { convertedTar } = require('../../collect') as typeof import('../../collect');
  const tar = convertedTar(
    {
      server,
      texts: new Map(plan.map(({ file, text }) => [file.path, text])),
      read: new Set([...tree.files, ...tree.above, ...tree.notGiven].map(({ path }) => path)),
      htaccess: new Set([...tree.htaccess, ...tree.above, ...tree.notGiven].map(({ path }) => path)),
      installer: shippedScript('install.sh', services),
      steps: scriptReport(result),
    },
    !output.endsWith('.tar'),
  );
  try {
    services.writeOutput(resolvePath(io.cwd, output), tar.toString('latin1'));
  } catch (error) {
    throw new Trouble(`--output ${output}: cannot be written (${encode((error as Error).message)})`);
  }
}
