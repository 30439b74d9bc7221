import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { allDirectives } from '../../src/httpd/directives';

/** Where texts lie that a real server serves: trees, fixtures with requests, and the tests that start one. */
const SERVED = [
  '__fixtures__/rest',
  '__tests__/transforms',
  'testing/access',
  'testing/guides',
  'testing/shapes',
  'testing/tls',
  'testing/wide',
];

/** The directives and sections of 2.2 that no text has which a real server serves, in their order. */
export function unservedDirectives(): readonly string[] {
  const served = new Set(SERVED.flatMap((folder) => wordsBelow(folder)).concat(wordsOfFixtures()));
  return [...allDirectives()]
    .filter(({ name, owners22 }) => owners22.length > 0 && !served.has(name.toLowerCase()))
    .map(({ name }) => name)
    .toSorted();
}

function wordsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('answers.json'))
    .flatMap((path) => firstWords(readFileSync(path, 'latin1')));
}

function wordsOfFixtures(): string[] {
  const home = '__fixtures__/transforms';
  return readdirSync(home).flatMap((rule) =>
    readdirSync(join(home, rule))
      .map((name) => join(home, rule, name))
      .filter((folder) => existsSync(join(folder, 'requests.json')))
      .flatMap(wordsBelow),
  );
}

/** What stands at the beginning of a line, of a quoted text, or behind `<`, in small letters. */
function firstWords(text: string): string[] {
  return [...text.matchAll(/(?:^|\\n|['"`])[ \t]*<?([A-Za-z][A-Za-z_]+)(?=[ \t>])/gm)].map(([, word]) =>
    word!.toLowerCase(),
  );
}
