import { type Place, placeCondition, serversOf } from '../../src/config';
import { removeLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { FACTS, sinceRelease } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { eachLine, isAtServerLevel } from '../common/lines';
import { addTo } from '../../src/maps';

/** A LogFormat with a nickname. */
interface NamedFormat {
  readonly node: Directive;
  readonly place: Place;
  readonly format: string;
}

export default defineTransform({
  id: 'log-format-in-host',
  changes: ['L11'],
  title: 'A virtual host with a LogFormat of a name that the main server has, too',
  why: 'In 2.2, and in 2.4 before 2.4.63, the LogFormat of the main server counts for a nickname, whatever a virtual host says; since then that of the host does. Without the line of the host, the logs stay as they are.',
  docs: [
    'mod_log_config: LogFormat',
    'modules/loggers/mod_log_config.c: merge_config_log_state',
    'CHANGES 2.4.63',
  ],
  lifeSpan: FACTS['log-format-of-host'],
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    const servers = serversOf(context.tree);
    const inMain = new Map<string, NamedFormat>();
    const inHosts = new Map<string, NamedFormat[]>();
    eachLine(context, ['LogFormat'], (node, place) => {
      const [format, name] = node.args.map(({ value }) => value);
      if (format === undefined || name === undefined || !isAtServerLevel(place)) return;
      // Names are compared as those of headers are (apr_table_get); of several in one server the last counts.
      const key = name.toLowerCase();
      if (servers.of(place).section === undefined) inMain.set(key, { node, place, format });
      else addTo(inHosts, key, { node, place, format });
    });
    for (const [key, formats] of inHosts) {
      const main = inMain.get(key);
      if (main === undefined) continue;
      for (const { node, place, format } of formats) {
        if (format === main.format) continue;
        const { line } = main.place.file.document.positionAt(main.node.from);
        const name = node.args[1]!.value;
        const isCertain = isCertainlyRead(main.place);
        context.report({
          file: place.file,
          at: node.from,
          level: 'warning',
          message: `2.2 writes logs in the format ${name} of the main server (${main.place.file.name}:${line}), whatever is said here; ${sinceRelease('log-format-of-host')} this line counts: ${isCertain ? 'it goes' : 'remove it if the logs are to stay as they are'}`,
          ...(isCertain && { safety: 'safe', edits: [removeLine(place.file.document, node)] }),
        });
      }
    }
  },
});

/** Whether a line is read wherever the one of a host is: without mod_log_config, httpd knows neither. */
function isCertainlyRead({ chain }: Place): boolean {
  const others = chain.filter(
    ({ section: { key, args } }) =>
      key !== 'ifmodule' || !/^(?:mod_log_config\.c|log_config_module)$/.test(args[0]?.value ?? ''),
  );
  return placeCondition(others).on24 === true;
}
