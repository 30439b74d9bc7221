import { defineTransform } from '../../src/engine';
import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { firstLineWhere } from '../common/servers';

/** Lines that hand UNIQUE_ID on. */
const READERS = [
  'CustomLog',
  'Header',
  'LogFormat',
  'RequestHeader',
  'RewriteRule',
  'RewriteCond',
  'SetEnvIf',
];

export default defineTransform({
  id: 'unique-id',
  changes: ['F19'],
  title: 'UNIQUE_ID is longer',
  why: 'mod_unique_id of 2.2 writes the time, the address of the server, the process and a counter into 24 characters. Since 2.4.29 the address and the process are a random number, which makes them 27.',
  docs: ['mod_unique_id', 'modules/metadata/mod_unique_id.c: gen_unique_id', 'CHANGES 2.4.29'],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  lifeSpan: FACTS['unique-id-random'],
  run(context) {
    const line = firstLineWhere(context.index, READERS, ({ rest }) => /\bUNIQUE_ID\b/.test(rest));
    if (line === undefined) return;
    context.report({
      file: line.place.file,
      at: line.node.from,
      level: 'info',
      message: `${sinceRelease('unique-id-random')} UNIQUE_ID has 27 characters, no longer 24, and does not hold the address of the server: see that columns of databases and patterns that take it are wide enough`,
    });
  },
});
