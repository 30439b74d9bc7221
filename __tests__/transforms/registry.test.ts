import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkRegistry, type Transform } from '../../src/engine';
import { transforms } from '../../transforms';

const HOME = join(__dirname, '../../transforms');

const rules = readdirSync(HOME, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(HOME, name)).map((file) => `${name}/${file.replace(/\.ts$/, '')}`));

describe('for all rules', () => {
  test('each directive has one owner', () => {
    expect(() => checkRegistry(transforms)).not.toThrow();
  });

  test('every file that exports a rule is in the index of its family, under its own name', () => {
    const ids = new Set(transforms.map(({ id }) => id));
    const listed: string[] = [];
    for (const path of rules) {
      const { default: rule } = jest.requireActual<{ default?: Transform }>(join(HOME, path));
      if (rule === undefined) continue;
      expect(`${path}: ${rule.id}`).toBe(`${path}: ${path.slice(path.indexOf('/') + 1)}`);
      expect(ids.has(rule.id) ? rule.id : `${rule.id} is not listed`).toBe(rule.id);
      listed.push(rule.id);
    }
    expect(listed.length).toBeGreaterThan(90);
  });
});
