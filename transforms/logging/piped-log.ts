import { expand } from '../../src/config';
import type { Edit } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import type { Argument } from '../../src/syntax';
import { isCarriedOver } from '../common/lines';

const LOGS = ['CustomLog', 'ErrorLog', 'ForensicLog', 'TransferLog'];

export default defineTransform({
  id: 'piped-log',
  changes: ['L01'],
  title: 'Piped logs run without a shell',
  why: '2.2 runs "|command" with a shell and "||command" without. 2.4 runs both without a shell, and "|$command" with one. The last releases of 2.2 also accept "|$".',
  docs: ['logs: Piped Logs', 'server/log.c: ap_open_piped_log, open_error_log'],
  directives: LOGS,
  onlyWhenUpgrading: true,
  run(context) {
    const { variables } = context.tree;
    context.directives(LOGS, (node, place) => {
      if (!/^["']?\|/.test(node.rest) || !isCarriedOver(place)) return;
      const { file } = place;
      const [log] = node.args;
      if (log === undefined || !log.value.startsWith('|')) return;
      const command = expand(log.value, variables);
      const at = log.start + (file.document.text.charAt(log.start) === '|' ? 0 : 1);
      const edit = shellEdit(command, log, at, file.document.text);
      if (edit === undefined) return;
      context.report({
        file,
        at: log.start,
        level: 'warning',
        safety: 'safe',
        message: command.startsWith('||')
          ? '2.2 ran this log program without a shell; 2.4 would run it with one because of the $, which is removed'
          : '2.2 ran this log program with a shell; 2.4 does so only after "|$"',
        edits: [edit],
      });
    });
  },
});

/** @param at offset of the first `|` */
function shellEdit(command: string, log: Argument, at: number, text: string): Edit | undefined {
  if (command.startsWith('||')) {
    if (!log.value.startsWith('||$') || log.value.startsWith('||${')) return undefined;
    return text.startsWith('||$', at) ? { start: at + 2, end: at + 3, text: '' } : undefined;
  }
  return command.startsWith('|$') && !command.startsWith('|${')
    ? undefined
    : { start: at + 1, end: at + 1, text: '$' };
}
