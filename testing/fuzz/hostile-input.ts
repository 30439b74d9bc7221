import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An input made to take long, to take much memory, or to end a run: what it is called, and how to make it below a directory. */
export interface HostileInput {
  readonly name: string;
  readonly make: (directory: string) => void;
  /** Arguments of the command; by default the directory. It is started in the directory. */
  readonly args?: readonly string[];
  /** The run is refused, with a word: what the server reads cannot be said. */
  readonly isRefused?: true;
}

export const DENY = 'Order allow,deny\nDeny from all\n';
export const HTACCESS = '.htaccess';

export function put(top: string, name: string, text: string): void {
  const path = join(top, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, 'latin1');
}

/** One file with a text. */
export const file = (name: string, text: () => string, path = HTACCESS): HostileInput => ({
  name,
  make: (top) => put(top, path, text()),
});

export const times = (count: number, text: (i: number) => string): string => {
  let all = '';
  for (let i = 0; i < count; i++) all += text(i);
  return all;
};

export const address = (i: number): string => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;

/** A server config of its own. */
export const server = (text: string): string => `ServerRoot "/srv/none"\nListen 80\n${text}`;
