/**
 * Writes what the tool makes of fixtures, for a person to read before it is taken: `npm run fixtures -- RULE[/CASE]…`. The output of every
 * case named is replaced, and its findings of that rule.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunOptions } from '../src/engine';
import { convertFiles, textAfter } from './convert';

const HOME = '__fixtures__/transforms';
const ROOT = '/srv/fixture';

function write(rule: string, name: string): void {
  const home = join(HOME, rule, name);
  const single = existsSync(join(home, 'input.conf'));
  const names = single
    ? ['input.conf']
    : readdirSync(join(home, 'input'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(join(home, 'input').length + 1));
  const from = (file: string): string => join(home, single ? file : `input/${file}`);
  const files = Object.fromEntries(
    names.map((file) => [`${ROOT}/${file}`, readFileSync(from(file), 'latin1')]),
  );
  const options = existsSync(join(home, 'options.json'))
    ? (JSON.parse(readFileSync(join(home, 'options.json'), 'utf8')) as RunOptions)
    : {};
  const result = convertFiles(files, single ? Object.keys(files) : [ROOT], options);
  if (result.failure !== undefined) throw new Error(`${rule}/${name}: ${result.failure}`);
  if (!single) {
    rmSync(join(home, 'output'), { recursive: true, force: true });
    cpSync(join(home, 'input'), join(home, 'output'), { recursive: true });
  }
  for (const file of names) {
    const path = join(home, single ? 'output.conf' : `output/${file}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, textAfter(result, `${ROOT}/${file}`) ?? '', 'latin1');
  }
  const findings = result.outcomes
    .filter((one) => one.rule === rule)
    .map(({ level, safety, file, at, message }) => ({
      rule,
      level,
      safety,
      ...(single ? {} : { path: file.path.slice(ROOT.length + 1) }),
      line: file.document.positionAt(at).line,
      message,
    }));
  rmSync(join(home, 'findings.json'), { force: true });
  if (findings.length > 0)
    writeFileSync(join(home, 'findings.json'), `${JSON.stringify(findings, undefined, 2)}\n`);
}

for (const asked of process.argv.slice(2)) {
  const [rule = '', name] = asked.split('/');
  for (const one of name === undefined ? readdirSync(join(HOME, rule)) : [name]) write(rule, one);
}
