import { type ConfigFile, placeCondition } from '../../src/config';
import { defineTransform, type ResultContext } from '../../src/engine';
import { findDirective, isIn24 } from '../../src/httpd/directives';
import { reasonGone } from '../../src/httpd/gone';
import { lifeSpanOf } from '../../src/httpd/lifespan';
import { type Release, nameOf } from '../../src/httpd/release';
import { ReportedLines } from '../common/reported-lines';

/** Reports the directives of the result that only 2.2 knew, if no other transform has. */
export default defineTransform({
  id: 'unknown-directive',
  changes: ['R05', 'R09', 'R10', 'R11', 'R12', 'R13'],
  title: 'Directives that 2.4 does not know',
  stops: true,
  why: '2.4 removed these directives. It does not start if it reads one, and answers 500 if one is in a .htaccess.',
  docs: ['upgrading', 'server/config.c: ap_walk_config'],
  advisory: true,
  run() {},
  runOnResult(context) {
    const reported = new ReportedLines(context);
    const { resultIndex: index } = context;
    const isRemoved = (name: string): boolean => isRemovedIn(name, context.target);
    const names = [...index.names].filter(isRemoved);
    const sectionNames = [...index.sectionNames].filter(isRemoved);
    for (const { node, place } of [...index.directives(names), ...index.sections(sectionNames)]) {
      if (placeCondition(place.chain).on24 === false) continue;
      const { file, at } = context.origin(place.file, (node.kind === 'section' ? node.open : node).from);
      if (reported.has(file, at, context.ownerOf(node.key))) continue;
      const { name } = findDirective(node.key)!;
      report(context, node.key, node.kind === 'section' ? `<${name}>` : name, file, at);
    }
  },
});

/** False for third-party directives, for which the tables have no owner. */
function isRemovedIn(name: string, release: Release): boolean {
  const known = findDirective(name);
  return known !== undefined && known.owners22.length > 0 && !isIn24(known, release);
}

function report(context: ResultContext, key: string, name: string, file: ConfigFile, at: number): void {
  const { since, until } = lifeSpanOf('directive', key);
  const isLater = since !== undefined && context.target < since;
  const subject = isLater
    ? `${nameOf(context.target)} does`
    : until === undefined
      ? '2.4 does'
      : `since ${nameOf(until + 1)} 2.4 does`;
  const reason = isLater ? `2.4 has it only since ${nameOf(since)}` : reasonGone(key);
  context.report({
    file,
    at,
    level: 'error',
    message: `${subject} not know ${name}${reason === undefined ? '' : `: ${reason}`}`,
  });
}
