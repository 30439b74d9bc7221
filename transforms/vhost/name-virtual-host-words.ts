import type { ConfigFile } from '../../src/config';
import { isWildcard } from './name-virtual-host-address';
import { type Difference, OTHER } from './name-virtual-host-compare';
import type { VirtualHost } from './name-virtual-host-read';
import type { Selection } from './name-virtual-host-tables';

/** Names listed before "and more". */
const MAX_NAMES = 4;

/** What the two versions do, for a finding in `file`. */
export function tellDifference({ host, port, on22, on24, without }: Difference, file: ConfigFile): string {
  const many = on24.named.length > 0 ? 'they go' : 'all go';
  const told = `requests to ${target(host, port)} went ${way(on22, file)} in 2.2; in 2.4 ${many} ${way(on24, file)}`;
  return without.size === 0
    ? told
    : `${told} (where ${[...without].map(condition).join(' and ')} does not hold)`;
}

function target(host: string, port: string | number): string {
  const at = port === OTHER ? 'every other port' : `port ${port}`;
  if (host === OTHER || isWildcard(host)) return at;
  return port === OTHER ? `${at} of ${host}` : `${host}:${port}`;
}

function way({ host, named }: Selection<VirtualHost>, file: ConfigFile): string {
  const rest = host === undefined ? 'the main server' : label(host, file);
  if (named.length === 0) return `to ${rest}`;
  const shown = named.slice(0, MAX_NAMES).map((one) => label(one, file));
  const more = named.length > MAX_NAMES ? [`${named.length - MAX_NAMES} more`] : [];
  return `by name to ${list([...shown, ...more])}, and for any other name to ${rest}`;
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function label({ file, section, label: name }: VirtualHost, from: ConfigFile): string {
  const { line } = file.document.positionAt(section.open.from);
  return file === from ? `${name} (line ${line})` : `${name} (${file.name}:${line})`;
}

/** `ifmodule ssl_module` as it may stand in a configuration. */
function condition(key: string): string {
  const [name = '', ...rest] = key.split(' ');
  const spelt = { ifmodule: 'IfModule', ifdefine: 'IfDefine', ifversion: 'IfVersion' }[name] ?? name;
  return `<${[spelt, ...rest].join(' ')}>`;
}
