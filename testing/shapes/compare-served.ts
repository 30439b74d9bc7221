import { PlainServer } from '../plain/server';
import { requireHttpd } from '../httpd/binary';
import { CONF, judgeTree, settingsOf } from './judge';
import { MODULES_24 } from './layout';
import { loadLines } from '../run/load-lines';
import { type ServerProgram, servedAnswers } from './serve';
import { type ShapeTree, type TreeRequest, requestOf, requestText, sourceOf } from './tree';

/** How a real server's answers stand to those that its reading in testing/plain gives. */
export interface ServedComparison {
  trees: number;
  requests: number;
  readonly differences: string[];
}

/** The 2.4 of the tests. */
export function program24(): ServerProgram {
  const { bin, moduleDir } = requireHttpd();
  return { bin, moduleDir, version: '2.4' };
}

/**
 * Serves trees by a real server: by a 2.4 what the tool makes of them, by a 2.2 what they were. Each tree under one of its
 * settings.
 * @param most of how many requests each tree is asked
 */
export async function compareServed(
  program: ServerProgram,
  trees: Iterable<ShapeTree>,
  dual: boolean,
  most = 60,
): Promise<ServedComparison> {
  const found: ServedComparison = { trees: 0, requests: 0, differences: [] };
  for (const tree of trees) {
    const settings = settingsOf(tree);
    const { name, defines, put } = settings[found.trees % settings.length]!;
    const texts = program.version === '2.2' ? {} : judgeTree({ ...tree, requests: [] }, dual).texts;
    const modules = program.version === '2.4' && dual ? { 'conf/modules.conf': loadLines(MODULES_24) } : {};
    const files = Object.fromEntries(
      Object.entries({ ...tree.files, ...texts, ...modules }).map(([path, content]) => [
        path,
        typeof content === 'string' ? put(content) : content,
      ]),
    );
    const reading = new PlainServer(sourceOf({ files }), CONF, { version: program.version, defines });
    const requests = evenly(tree.requests, most);
    const { answers, log } = await servedAnswers(program, { files }, requests, [...defines]);
    found.trees++;
    found.requests += requests.length;
    const wrong = requests.findIndex((request, i) => {
      const expected = reading.answer(requestOf(request));
      return expected !== '?' && expected !== answers[i];
    });
    if (wrong >= 0)
      found.differences.push(
        `${tree.name}${name === '' ? '' : `, ${name}`}: ${requestText(requests[wrong]!)}: the reading ${reading.answer(requestOf(requests[wrong]!))}, the server ${answers[wrong]}${reading.why === undefined ? '' : ` (${reading.why})`}${answers[wrong] === 'X' ? `\n${log.slice(-500)}` : ''}`,
      );
  }
  return found;
}

function evenly(requests: readonly TreeRequest[], most: number): readonly TreeRequest[] {
  if (requests.length <= most) return requests;
  return Array.from({ length: most }, (_, i) => requests[Math.floor((i * requests.length) / most)]!);
}
