import { type AnsweredDifference, type AskedUrl, RequestChoice, compareServers } from '../../../compare';
import { loadTree, memory } from '../../../config';
import { run, treeAfter } from '../../../engine';
import type { ConfigTree } from '../../../config/types';
import { RequestConcerns } from '../../../log';
import { findTarget, loadPaths, withLogPaths, withProject } from '../../input';
import type { Io, Services } from '../../io';
import type { CompareRequest } from '../../options';
import { OK, OPEN, showProgress, TROUBLE } from '../../output';
import { Trouble } from '../../trouble';
import { runOptions } from '../compute';
import { type Compared, comparisonText } from './report';

/**
 * Asks an old and a new server the requests of logs that change nothing, and prints where they answer differently.
 * @returns 0 where all answers are alike, 1 where some are not, 2 where a server did not answer
 * @throws Trouble for logs without a request that may be asked; SourceError for a configuration that cannot be read
 */
export async function compare(asked: CompareRequest, io: Io, services: Services): Promise<number> {
  const request = { ...asked, options: withLogPaths(asked.options, services.source, io) };
  const { options, old, now, withQueries, rate, most } = request;
  const { tree, rulesFor } = concernsOf(request, io, services);
  const progress = showProgress(io);
  const network = services.network();
  try {
    const choice = choiceFor({ tree, format: options.logFormat, withQueries, most });
    await services.readLogs(options.log, choice, { cwd: io.cwd, onProgress: progress.onLog });
    progress.end();
    const urls = choice.chosen;
    if (urls.length === 0)
      throw new Trouble(
        `none of ${choice.requests} requests of the log may be asked: GET and HEAD, without a query unless --with-queries is given`,
      );
    const how = {
      addresses: request.addresses,
      insecure: request.insecure,
      headers: request.headers,
      agent: `httpd-codemod/${services.version} compare`,
    };
    const servers = [network.asker(old, how), network.asker(now, how)] as const;
    const report = await compareServers(urls, {
      old: servers[0],
      now: servers[1],
      hosts: new Set([old, now].map(({ hostname }) => hostname.toLowerCase())),
      rate,
      rulesFor,
      onProgress: progress.onCompare,
      isStopped: network.isStopped,
      sleep: (ms) => network.sleep(ms),
      clock: () => io.now(),
    });
    for (const server of servers) server.close();
    progress.end();
    const compared: Compared = { report, choice, old: old.href, now: now.href, isFull: options.full };
    io.stdout.write(comparisonText(compared, options.format));
    if (report.failed.length > 0) return TROUBLE;
    return report.differences.length > 0 ? OPEN : OK;
  } finally {
    progress.end();
    network.end();
  }
}

function choiceFor(options: ConstructorParameters<typeof RequestChoice>[0]): RequestChoice {
  try {
    return new RequestChoice(options);
  } catch (error) {
    if (options.format === undefined) throw error;
    throw new Trouble(`--log-format: ${(error as Error).message}`);
  }
}

/** The configuration, where one was given, and which of its rules have told of a request. */
function concernsOf(
  request: CompareRequest,
  io: Io,
  services: Services,
): { tree: ConfigTree; rulesFor: (url: AskedUrl, difference: AnsweredDifference) => readonly string[] } {
  if (request.options.paths.length === 0) {
    const nothing = { cwd: '/', defines: new Map<string, string>(), env: new Map<string, string>() };
    const tree = loadTree(memory(new Map([['/httpd.conf', '']])), ['/httpd.conf'], nothing);
    return { tree, rulesFor: () => [] };
  }
  const options = withProject(request.options, services.source, io, services.transforms);
  const loaded = loadPaths(services.source, options, io, () => undefined);
  const result = run(
    loaded,
    services.transforms,
    runOptions(options, findTarget(options, io, services), services),
  );
  const after = treeAfter(result, loaded.reread);
  const rule = services.transforms.find(({ isAboutAccess }) => isAboutAccess === true)?.id ?? '';
  const concerns = new RequestConcerns(result.tree, after, result.outcomes, rule);
  return {
    tree: result.tree,
    rulesFor: ({ entry }, { what }) => concerns.rulesFor(entry, what === 'status'),
  };
}
