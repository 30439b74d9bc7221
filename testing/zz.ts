import { readdirSync } from 'node:fs';
import { casesOf, HOME, readCase, convertCase } from './fixtures/case';
import { judge } from '../src/judge';
import { loadTree, memory } from '../src/config';
import { ROOT } from './fixtures/case';
let [asked, answered, runs] = [0, 0, 0];
for (const rule of readdirSync(HOME)) for (const name of casesOf(rule)) {
  const { input, options } = readCase(rule, name);
  const { tree, plan, outcomes } = convertCase(input, options);
  for (const { why } of outcomes) if (why?.includes('check of the result')) console.log(`${rule}/${name}: ${why}`);
  if (plan.length === 0) continue;
  const texts = new Map([...Object.entries(input), ...plan.map(({ file, text }) => [file.path, text] as const)]);
  const after = loadTree(memory(texts), `${ROOT}/input.conf` in input ? Object.keys(input) : [ROOT], { cwd: '/', defines: new Map(), env: new Map() });
  const j = judge(tree, after, outcomes);
  if (j.asked > 0) { runs++; asked += j.asked; answered += j.answered; if (j.answered === 0 && process.env.SHOW) console.log('untold', rule, name); }
}
console.log(runs, asked, answered);
