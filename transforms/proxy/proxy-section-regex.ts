import { rename } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { isCarriedOver } from '../common/lines';

export default defineTransform({
  id: 'proxy-section-regex',
  changes: [],
  title: '<Proxy ~ "regex"> is called <ProxyMatch>',
  stops: true,
  why: 'Up to 2.2.26, <Proxy> accepts a regular expression after ~, like <Directory>. Since 2.4.8, the ~ is what is proxied and the regular expression one argument too many, so httpd does not start. <ProxyMatch> means the same in every release.',
  docs: ['mod_proxy: <ProxyMatch>', 'modules/proxy/mod_proxy.c: proxysection'],
  lifeSpan: FACTS['proxy-section-tilde-refused'],
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
        return context.report({
          ...common,
          safety: 'manual',
          message: `${message}use <ProxyMatch>`,
          edits: [],
        });
      context.report({
        ...common,
        safety: 'safe',
        message: `${message}it becomes <ProxyMatch>`,
        edits: [
          rename(section, 'ProxyMatch'),
          { start: tilde.start, end: regex.start, text: '' },
          { start: name, end: name + close.name.length, text: 'ProxyMatch' },
        ],
      });
    });
  },
});
