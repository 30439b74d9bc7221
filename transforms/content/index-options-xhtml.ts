import { advice } from '../shared/advice';

export default advice({
  id: 'index-options-xhtml',
  seed: ['s2.5', 'F07'],
  title: 'Directory listings show the titles of .xhtml files',
  why: 'ScanHTMLTitles looked into .html files only; 2.4 looks into .xhtml files, too.',
  docs: ['mod_autoindex: IndexOptions', 'upgrading'],
  names: ['IndexOptions'],
  once: true,
  tell: ({ args }) =>
    args.some(({ value }) => /^\+?ScanHTMLTitles$/i.test(value))
      ? { level: 'info', message: 'ScanHTMLTitles shows the titles of .xhtml files in 2.4, too' }
      : undefined,
});
