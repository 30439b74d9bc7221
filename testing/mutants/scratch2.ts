import { treesAtRandom } from '../shapes/run';
import { TARGET_MODULES, judgeResult } from '../shapes/judge';
import { resultOf } from './converted';
for (const tree of treesAtRandom(process.argv[2] as any, 31, 150)) {
  const r = resultOf(tree, TARGET_MODULES);
  const v = r.outcomes.filter((o: any) => o.why?.includes('check of the result'));
  if (v.length > 0) {
    console.log('=========', tree.name, judgeResult(tree, r).verdict);
    for (const [p, t] of Object.entries((tree as any).files ?? {})) if (/httpd.conf|htaccess/.test(p)) console.log('### ' + p + '\n' + (Array.isArray(t) ? t.join('\n') : t));
    for (const o of v) console.log(o.file.path, o.at, o.message, '\n   ', o.why, '\n', o.edits.map((e: any) => e.text).join(' | '));
  }
}
