import { spawnSync } from 'node:child_process';
import { findProgram } from './install';
import { inNamespace } from './netns';

let prefix: readonly string[] | undefined;

/** What to put before a command that is to have no network at all; nothing where the machine forbids it. */
export function offline(): readonly string[] {
  prefix ??= inNamespace() ? [] : find();
  return prefix;
}

function find(): readonly string[] {
  if (findProgram('unshare') === undefined) return [];
  const flags = process.getuid?.() === 0 ? ['--net'] : ['--map-current-user', '--net'];
  return spawnSync('unshare', [...flags, 'true']).status === 0 ? ['unshare', ...flags] : [];
}
