import { advice } from '../common/advice';

export default advice({
  id: 'index-options-xhtml',
  changes: ['F07'],
  title: 'Directory listings show the titles of .xhtml files',
  why: 'In 2.2, ScanHTMLTitles reads .html files only; in 2.4 it also reads .xhtml files.',
  docs: ['mod_autoindex: IndexOptions', 'upgrading'],
  names: ['IndexOptions'],
  once: true,
  level: 'info',
  messageFor: ({ args }) =>
    args.some(({ value }) => /^\+?ScanHTMLTitles$/i.test(value))
      ? 'ScanHTMLTitles also shows the titles of .xhtml files in 2.4'
      : undefined,
});
