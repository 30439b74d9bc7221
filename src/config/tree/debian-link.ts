import type { ConfigFile } from '../types';

/** A file in Debian's mods-available or mods-enabled: it belongs to a package and is not edited; a2enmod and a2dismod link it. */
export function isDebianLink({ path }: ConfigFile): boolean {
  return /\/mods-(?:available|enabled)\/[^/]+\.load$/.test(path);
}
