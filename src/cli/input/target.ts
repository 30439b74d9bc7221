import { resolvePath, SourceError } from '../../config';
import type { FileSource } from '../../config/types';
import { parseModuleList } from '../../httpd/modules';
import { Trouble } from '../trouble';

/**
 * The modules of the server that the configuration is for, from a file with what `httpd -M` prints there.
 * @throws Trouble where the file cannot be read or names no module
 */
export function readTarget(
  source: FileSource,
  file: string,
  cwd: string,
): ReturnType<typeof parseModuleList> {
  let text: string;
  try {
    text = source.read(resolvePath(cwd, file));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new Trouble(`${file}: ${error.message}`);
  }
  const modules = parseModuleList(text);
  if (modules.size === 0) throw new Trouble(`${file}: names no module; it must hold what httpd -M prints`);
  return modules;
}
