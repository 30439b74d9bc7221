import { resolvePath } from '../../config';
import { type CollectedServer, convertedTar } from '../../collect';
import type { RunResult } from '../../engine/types';
import { encode, scriptReport } from '../../report';
import type { Io, Services } from '../io';
import { Trouble } from '../trouble';

/** Writes the tar of a converted server. @throws Trouble, SourceError */
export function pack(
  result: RunResult,
  server: CollectedServer,
  output: string,
  io: Io,
  services: Services,
): void {
  const { tree, plan } = result;
  const tar = convertedTar(
    {
      server,
      texts: new Map(plan.map(({ file, text }) => [file.path, text])),
      read: new Set(tree.files.map(({ path }) => path)),
      htaccess: new Set(tree.htaccess.map(({ path }) => path)),
      installer: services.shippedScript('install.sh'),
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
