import { rename } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { isCarriedOver } from '../shared/lines';

export default defineTransform({
  id: 'proxy-section-regex',
  seed: [],
  title: '<Proxy ~ "regex"> is called <ProxyMatch>',
  why: '2.2 took a regular expression behind a ~ in <Proxy>, up to 2.2.26, as in <Directory> and its like. Since 2.4.8 the ~ is the name of what is proxied, the regular expression an argument too many, and httpd does not start. <ProxyMatch> says the same in every release.',
  docs: ['mod_proxy: <ProxyMatch>', 'modules/proxy/mod_proxy.c: proxysection'],
  lifeSpan: FACTS['proxy-section-tilde-refused'],
  directives: [],
  run(context) {
    context.sections(['Proxy'], (section, place) => {
      const [tilde, regex, ...more] = section.args;
      if (tilde?.value !== '~' || regex === undefined || more.length > 0 || !isCarriedOver(place)) return;
      const { close, open } = section;
      const { file } = place;
      const common = { file, at: open.from, level: 'error' } as const;
      const message = 'since 2.4.8 <Proxy> takes no regular expression: ';
      const name = close === undefined ? -1 : file.document.text.indexOf('</', close.start) + 2;
      if (close === undefined || name < 2 || name + close.name.length > close.end)
        return context.report({ ...common, safety: 'manual', message: `${message}write <ProxyMatch>`, edits: [] });
      context.report({
        ...common,
        safety: 'safe',
        message: `${message}<ProxyMatch> does`,
        edits: [
          rename(section, 'ProxyMatch'),
          { start: tilde.start, end: regex.start, text: '' },
          { start: name, end: name + close.name.length, text: 'ProxyMatch' },
        ],
      });
    }); // prettier-ignore
  },
});
