import { resolvePath } from '../../config';
import { SourceError } from '../../config/types';
import {
  fleetMarkdown,
  fleetPage,
  type FleetReport,
  HOST_STATUSES,
  hostOf,
  type HostReport,
  mergeHosts,
} from '../../fleet';
import { decode, encode, oneLine } from '../../report';
import type { Io, Services } from '../io';
import type { MergeRequest } from '../options';
import { OK, OPEN, TROUBLE } from '../output';
import { Trouble } from '../trouble';

/**
 * Prints the reports of many hosts as one.
 * @returns 0 where every host is done or can move, 2 where a file is no report or a host could not be judged, else 1
 * @throws Trouble where there is no report at all, or the earlier merge cannot be read
 */
export function mergeReports({ files, before, format }: MergeRequest, io: Io, services: Services): number {
  const hash = (text: string): string => services.hash(encode(text)).slice(0, 16);
  const { source } = services;
  const unread: string[] = [];
  const read = new Set<string>();
  const hosts = files.flatMap((file): readonly HostReport[] => {
    try {
      const path = resolvePath(io.cwd, file);
      // One report is one host, however often patterns of a shell name it.
      const real = source.real(path);
      if (read.has(real)) return [];
      const host = hostOf(decode(file), decode(source.read(path)), hash);
      read.add(real);
      return [host];
    } catch (error) {
      unread.push(`${file}: ${encode((error as Error).message)}`);
      return [];
    }
  });
  if (hosts.length === 0) throw new Trouble(...unread);
  for (const line of unread) io.stderr.write(`httpd-codemod: ${oneLine(line)}\n`);
  const report = mergeHosts(hosts, before === undefined ? undefined : earlierMerge(before, io, services));
  io.stdout.write(
    format === 'json'
      ? `${encode(JSON.stringify(report, undefined, 1))}\n`
      : format === 'html'
        ? fleetPage(report, (bytes) => services.hash(bytes))
        : fleetMarkdown(report),
  );
  if (unread.length > 0 || hosts.some(({ status }) => status === 'failed')) return TROUBLE;
  return hosts.every(({ status }) => status === 'done') ? OK : OPEN;
}

/** @throws Trouble for what is no merge in JSON */
function earlierMerge(file: string, io: Io, { source }: Services): FleetReport {
  try {
    const value = JSON.parse(decode(source.read(resolvePath(io.cwd, file)))) as Partial<FleetReport> | null;
    const isMerge =
      value?.version === 1 &&
      Array.isArray(value.hosts) &&
      value.hosts.every(({ name, status }) => typeof name === 'string' && HOST_STATUSES.includes(status));
    if (!isMerge) throw new Error('no merge: --before takes what report merge --format json has printed');
    return value as FleetReport;
  } catch (error) {
    const { message } = error as Error;
    throw new Trouble(`--before ${file}: ${error instanceof SourceError ? message : encode(message)}`);
  }
}
