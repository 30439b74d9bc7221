import { UsageError } from '../trouble';
import type { ConvertOptions } from './options';
import type { CompareRequest } from './request';

/** The values as commander collects them. */
export interface RawCompareOptions {
  readonly old?: string;
  readonly new?: string;
  readonly withQueries?: boolean;
  readonly rate: string;
  readonly most: string;
  readonly resolve?: readonly string[];
  readonly insecure?: boolean;
  readonly header?: readonly string[];
}

export const COMPARE_DEFAULTS = { rate: '10', most: '500' } as const;

const FORMATS: ReadonlySet<string> = new Set(['text', 'json', 'markdown', 'html']);

/** @throws UsageError for what cannot be meant */
export function compareRequest(options: ConvertOptions, raw: RawCompareOptions): CompareRequest {
  if (options.log.length === 0) throw new UsageError('compare wants a log: --log FILE');
  if (!FORMATS.has(options.format)) throw new UsageError(`compare has no format ${options.format}`);
  return {
    options,
    old: urlOf('--old', raw.old),
    now: urlOf('--new', raw.new),
    withQueries: raw.withQueries === true,
    rate: numberOf('--rate', raw.rate, 1000),
    most: numberOf('--most', raw.most, 20_000),
    addresses: new Map((raw.resolve ?? []).map(addressOf)),
    insecure: raw.insecure === true,
    headers: (raw.header ?? []).map(headerOf),
  };
}

function urlOf(option: string, text: string | undefined): URL {
  if (text === undefined) throw new UsageError(`compare wants ${option} URL`);
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError(`${option} takes a URL such as https://www.example.org, not '${text}'`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError(`${option} takes a URL of http or https, not '${text}'`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`${option} takes no password: give --header 'Authorization: ...'`);
  if (url.pathname !== '/' || url.search !== '')
    throw new UsageError(`${option} takes a server, without a path: '${text}'`);
  return url;
}

function numberOf(option: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^[0-9]+(?:\.[0-9]+)?$/.test(text) || value <= 0 || value > most)
    throw new UsageError(`${option} takes a number up to ${most}, not '${text}'`);
  return value;
}

function addressOf(text: string): readonly [name: string, address: string] {
  const [, name, address] = /^([^:]+):\[?([0-9a-fA-F.:]+?)\]?$/.exec(text) ?? [];
  if (name === undefined || address === undefined)
    throw new UsageError(`--resolve takes NAME:ADDRESS, not '${text}'`);
  return [name.toLowerCase(), address];
}

function headerOf(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`--header takes 'Name: value', not '${text}'`);
  return [name, value];
}
