import { collect } from '../../src/access/collect';
import { placedScopes } from '../../src/access/models';
import { findMixedSections } from '../../src/access/inherit';
import type { ConfigTree } from '../../src/config';
import type { Answer, RunResult } from '../../src/engine';
import { FILES, PREFACE, ROOT, USERS, asModelRequest, matrix } from './compare-model';
import { AS_TODAY, convertFiles, textAfter } from '../run/convert';
import { ask } from '../httpd/ask';
import { type Case, serve } from '../httpd/server';
import type { RandomTree } from './random-trees';
import { ToldRefusals } from './told-refusals';
import { loadLines } from '../run/load-lines';

/** What became of trees that mix lines of both kinds. */
export interface MixedComparison {
  converted: number;
  refused: number;
  requests: number;
  differences: string[];
}

/** How trees are converted: with the answers of a person, and with lines of the server before them. */
interface Given {
  readonly answers: readonly Answer[];
  readonly head: string;
}

/** The lines by which a 2.4 with mod_access_compat loads its modules. */
export const MODULES_OF_24 = loadLines(
  'authz_core authz_host authz_user authz_groupfile authn_core authn_file auth_basic access_compat unixd mpm_event alias dir mime setenvif',
);

/** Serves trees with mod_access_compat as they are and without it as they are converted, and compares all answers. */
export async function compareMixed(
  trees: readonly RandomTree[],
  given: Partial<Given> = {},
): Promise<MixedComparison> {
  const { answers = AS_TODAY, head = '' } = given;
  const all = trees
    .map((tree, i) => ({ id: `t${i}`, tree, result: convert(tree, { answers, head }) }))
    .filter(({ result }) => isMixed(result.tree));
  const before = await serve(
    all.map(({ id, tree }) => ({ id, conf: PREFACE + tree.conf, htaccess: tree.htaccess, files: FILES })),
    { users: USERS, compat: true },
  );
  const comparison: MixedComparison = { converted: 0, refused: 0, requests: 0, differences: [] };
  try {
    const converted = all.filter(({ id, result }) => before.hosts.has(id) && isConverted(result));
    comparison.converted = converted.length;
    comparison.refused = all.length - converted.length;
    for (const { id, result } of all)
      if (result.failure !== undefined) comparison.differences.push(`${id}: ${result.failure}`);
    const after = await serve(
      converted.map((each) => toCase(each, head)),
      { users: USERS },
    );
    try {
      for (const [id, message] of after.refused)
        comparison.differences.push(`${id}: 2.4 refuses it: ${message}`);
      for (const { id, tree, result } of converted.filter((candidate) => !after.refused.has(candidate.id))) {
        const requests = matrix(id);
        const [answersBefore, answersAfter] = [await ask(before, requests), await ask(after, requests)];
        comparison.requests += requests.length;
        const collected = collect(result.tree, 'compat');
        const told = new ToldRefusals(collected, result.tree, result);
        const isTold = (i: number): boolean => {
          const request = asModelRequest(requests[i]!);
          return told.has(
            placedScopes(collected.scopes, request),
            request,
            answersBefore[i]!,
            answersAfter[i],
          );
        };
        const wrong = answersBefore.findIndex((answer, i) => answer !== answersAfter[i] && !isTold(i));
        if (wrong >= 0)
          comparison.differences.push(
            `${tree.conf}\n${JSON.stringify(tree.htaccess)} ${JSON.stringify(requests[wrong])}: was ${answersBefore[wrong]}, is ${answersAfter[wrong]}`,
          );
      }
    } finally {
      await after.stop();
    }
  } finally {
    await before.stop();
  }
  return comparison;
}

/** All old lines can meet new ones: the others are taken for 2.2's, and decided as such. */
export function isMixed(tree: ConfigTree): boolean {
  const { scopes } = collect(tree);
  const mixed = findMixedSections(scopes, tree);
  return (
    mixed !== undefined &&
    scopes.every(({ order, lines: { old } }) => old.length === 0 || mixed.orders.has(order))
  );
}

/** Nothing is left for a person to do. */
function isConverted(result: RunResult): boolean {
  return (
    result.failure === undefined &&
    !result.outcomes.some(
      (outcome) =>
        outcome.level === 'error' && (outcome.safety === 'manual' || outcome.status === 'not-applied'),
    )
  );
}

const accessFile = (directory: string): string =>
  `${ROOT}/${directory === '' ? '' : `${directory}/`}.htaccess`;

function convert({ conf, htaccess }: RandomTree, { answers, head }: Given): RunResult {
  const files: Record<string, string> = {
    '/etc/site.conf': head + PREFACE + conf.replaceAll('@DOCROOT@', ROOT),
  };
  for (const [at, text] of Object.entries(htaccess)) files[accessFile(at)] = text;
  return convertFiles(
    files,
    Object.keys(htaccess).length > 0 ? ['/etc/site.conf', ROOT] : ['/etc/site.conf'],
    { answers },
  );
}

function toCase(
  { id, tree, result }: { id: string; tree: RandomTree; result: RunResult },
  head: string,
): Case {
  const text = (path: string): string => textAfter(result, path)!.replaceAll(ROOT, '@DOCROOT@');
  return {
    id,
    conf: text('/etc/site.conf').replace(head, ''),
    htaccess: Object.fromEntries(Object.keys(tree.htaccess).map((name) => [name, text(accessFile(name))])),
    files: FILES,
  };
}
