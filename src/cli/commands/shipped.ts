import { dirname } from '../../config';
import type { Services } from '../io';

/** A script for other machines, as it lies in the package beside the command. @throws SourceError */
export function shippedScript(
  name: 'collect.sh' | 'install.sh',
  { program, source }: Pick<Services, 'program' | 'source'>,
): string {
  const command = program.script.replaceAll('\\', '/');
  return source.read(`${dirname(dirname(source.real(command)))}/bin/${name}`);
}
