import { inRange, isOfTemplate, Unreadable } from '../text';
import type { Limited } from './met-sections';
import type { JudgeClient } from './request';

/** Whether a line is one of a host list, which both versions read alike where they read it. */
export const isOfHosts = ({ line }: Limited): boolean => ['order', 'allow', 'deny'].includes(line.name);

/**
 * Whether the Order, Allow and Deny lines of a section let a client in: none let everybody in (mod_authz_host.c,
 * mod_access_compat.c: check_dir_access).
 */
export function hostsAdmit(lines: readonly Limited[], client: JudgeClient): boolean {
  const order =
    lines.findLast(({ line }) => line.name === 'order')?.line.words[0]?.toLowerCase() ?? 'deny,allow';
  const hits = (name: string): boolean =>
    lines.some(({ line }) => line.name === name && line.words.slice(1).some((word) => fits(word, client)));
  const [allowed, denied] = [hits('allow'), hits('deny')];
  return order === 'deny,allow' ? allowed || !denied : allowed && !denied;
}

/** A word of `Allow from`. No address here has a name. */
function fits(word: string, { address, env, isFilled = false }: JudgeClient): boolean {
  if (isOfTemplate(word)) return isFilled;
  const lower = word.toLowerCase();
  if (lower.startsWith('env=')) {
    if (env === undefined) throw new Unreadable(`from ${word}`);
    const name = lower.slice('env='.length);
    return name.startsWith('!') ? !env.has(name.slice(1)) : env.has(name);
  }
  return lower === 'all' || inRange(word, address);
}
