import { type FileSource, memory } from '../../src/config';
import type { PlainRequest } from '../plain/server';

/** Where a tree stands while it is converted and judged. */
export const BASE = '/srv/tree';

/** The accounts of every tree; a password is the name. */
export const USERS: Readonly<Record<string, readonly string[]>> = {
  alice: ['staff'],
  bob: ['staff'],
  carol: ['admins'],
};

/** A server's files and what it is asked. `@B@` in a text or a link stands for the folder that holds all of it. */
export interface ShapeTree {
  readonly name: string;
  /** Path below the folder → text, or where a symbolic link points. */
  readonly files: Readonly<Record<string, string | { readonly link: string }>>;
  readonly requests: readonly TreeRequest[];
  /** What the tool is given. */
  readonly paths: readonly string[];
  /** Names that `<IfDefine>`s ask for: it is judged with each set of them given by -D. */
  readonly defines?: readonly string[];
  /** A placeholder of a template, and what may stand there when it is filled in: it is judged with each. */
  readonly fill?: { readonly placeholder: string; readonly values: readonly string[] } | undefined;
}

export interface TreeRequest {
  readonly path: string;
  /** The client's address. */
  readonly src: string;
  /** The server's address. */
  readonly dst?: string | undefined;
  readonly port?: number | undefined;
  readonly method?: string | undefined;
  /** `name` (the password is the name) or `name:password` */
  readonly user?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The files of a tree where they stand, with a word put in for another. */
export function sourceOf(
  { files }: Pick<ShapeTree, 'files'>,
  put: (text: string) => string = (text) => text,
): FileSource {
  const texts = new Map<string, string>();
  const links = new Map<string, string>();
  for (const [path, content] of Object.entries(files))
    if (typeof content === 'string') texts.set(`${BASE}/${path}`, put(placed(content)));
    else links.set(`${BASE}/${path}`, placed(content.link));
  return memory(texts, links);
}

export const placed = (text: string): string => text.replaceAll('@B@', BASE);

export function requestOf({ path, src, dst, port, method, user, headers }: TreeRequest): PlainRequest {
  const [name, password = name] = user?.split(':') ?? [];
  const known = name !== undefined && name === password && name in USERS ? name : undefined;
  return {
    path,
    to: dst ?? (src.includes(':') ? '::1' : '127.0.0.1'),
    port: port ?? 80,
    host: headers?.['Host'] ?? 'localhost',
    address: src,
    method: method ?? 'GET',
    user: known ?? (user === undefined ? undefined : ''),
    groups: new Set(known === undefined ? [] : USERS[known]!),
  };
}

/** A request in words. */
export function requestText({ path, src, dst, port, method, user, headers }: TreeRequest): string {
  const host = headers?.['Host'] ?? 'localhost';
  return `${method ?? 'GET'} http://${host}${port === undefined || port === 80 ? '' : `:${port}`}${path} from ${src}${dst === undefined ? '' : ` at ${dst}`}${user === undefined ? '' : ` as ${user}`}`;
}
