import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { casesOf, convertCase, describeFinding, HOME, readCase, readTexts } from '../fixtures/case';
import { textAfter } from '../run/convert';

// Each fixture in one form, as tests of this folder's suite: `MUTANTS_FIXTURES` names the rules, those of all by default.

const given = process.env['MUTANTS_FIXTURES'];

for (const rule of given === undefined ? readdirSync(HOME) : given.split(','))
  for (const name of casesOf(rule))
    test(`fixture ${rule}/${name}`, () => {
      const { folder, single, input, options } = readCase(rule, name);
      const result = convertCase(input, options);
      for (const [path, text] of Object.entries(readTexts(folder, single, 'output')))
        expect(textAfter(result, path) ?? input[path]).toBe(text);
      const findings = join(folder, 'findings.json');
      expect(
        result.outcomes.filter((found) => found.rule === rule).map((found) => describeFinding(found, single)),
      ).toEqual(existsSync(findings) ? JSON.parse(readFileSync(findings, 'utf8')) : []);
    });
