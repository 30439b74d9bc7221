import { replaceArgument } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { isKnownIn } from '../../src/httpd/lifespan';
import { isCarriedOver, isUnknown } from '../shared/lines';

export default defineTransform({
  id: 'ssl-session-cache',
  seed: ['S03'],
  title: 'SSLSessionCache shm: and shmht: are called shmcb:',
  why: '2.2 took shm: and shmht: for other names of shmcb:; 2.4 looks for a cache module of that name, letter by letter, finds none and does not start. It is also strict about the size in parentheses.',
  docs: ['mod_ssl: SSLSessionCache', 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLSessionCache'],
  directives: ['SSLSessionCache'],
  run(context) {
    context.directives(['SSLSessionCache'], (node, place) => {
      const argument = node.args[0];
      if (argument === undefined || node.args.length > 1 || !isCarriedOver(place)) return;
      const { file } = place;
      const common = { file, at: node.from, level: 'error' as const };
      if (/^dc:/i.test(argument.value))
        return context.report({
          ...common,
          safety: 'manual',
          message: `distcache is gone from most builds of 2.4 (mod_socache_dc): use shmcb: on one machine, memcache:${isKnownIn('module', 'socache_redis', context.target) ? ' or redis:' : ''} across machines`,
          edits: [],
        });
      const value = in24(argument.value);
      if (value !== argument.value)
        context.report({
          ...common,
          safety: 'safe',
          message: `2.4 does not take SSLSessionCache ${argument.value}; what 2.2 made of it is ${value}`,
          edits: [replaceArgument(file.document, argument, value)],
        });
    });
  },
});

/** What 2.2 read in the argument, as 2.4 wants it written: the name in lower case, nothing but a number in the parentheses. */
function in24(value: string): string {
  const parts = /^(shmht|shmcb|shm|dbm):(.*)$/i.exec(value);
  if (parts === null) return value;
  const [, name = '', path = ''] = parts;
  if (name.toLowerCase() === 'dbm') return `dbm:${path}`;
  const sized = isUnknown(path) ? null : /^([^(]*)\([ ]*\+?([0-9]+)[^)]*\)/.exec(path);
  return `shmcb:${sized === null ? path : `${sized[1]}(${Number(sized[2])})`}`;
}
