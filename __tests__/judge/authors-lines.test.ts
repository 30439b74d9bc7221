import { type ConfigTree, loadTree, memory } from '../../src/config';
import { judge } from '../../src/judge';

const CONF = '/etc/httpd/httpd.conf';
const HEAD = 'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /srv/www\n';
const FOR_22 = '<IfModule !mod_authz_core.c>\nOrder deny,allow\nDeny from all\n</IfModule>\n';
const for24 = (line: string): string => `<IfModule mod_authz_core.c>\n${line}\n</IfModule>\n`;
/** A section with lines for one version each, and one in it. */
const section = (line: string, inner = ''): string =>
  `<Location /a>\n${for24(line)}${FOR_22}${inner}</Location>\n`;
const EMPTY = '<IfModule mod_authz_core.c>\n<If "-T %{IS_SUBREQ}">\n</If>\n</IfModule>\n';
const ABOVE = [
  '<Directory /srv/www>\nAllow from all\n</Directory>\n',
  '<Directory /srv/www>\nRequire all granted\n</Directory>\n',
] as const;

const treeOf = (text: string): ConfigTree =>
  loadTree(memory(new Map([[CONF, text]])), [CONF], { cwd: '/', defines: new Map(), env: new Map() });

/** What is refused of a change, where an error stands at some words of the text as it was. */
function vetoesOf(was: string, is: string, errorAt: string): number {
  const [old, now] = [HEAD + ABOVE[0] + was, HEAD + ABOVE[1] + is];
  const before = treeOf(old);
  const [file] = before.files;
  const common = { rule: 'x', file: file!, level: 'error' };
  const start = HEAD.length;
  const applied = {
    ...common,
    at: start,
    safety: 'safe',
    status: 'applied',
    edits: [{ start, end: old.length, text: now.slice(start) }],
  };
  const told = { ...common, at: old.indexOf(errorAt), safety: 'manual', status: 'none', edits: [] };
  return judge(before, treeOf(now), [applied, told]).vetoes.length;
}

test('leaves lines for 2.4 that nobody changed to the error about them', () => {
  const text = section('Require all granted');
  expect(vetoesOf(text, text, '<Location')).toBe(0);
  expect(vetoesOf(text, text, 'Listen')).toBe(1);
});

test('takes no empty section that is put beside them for a change', () => {
  const text = section('Require all granted');
  expect(vetoesOf(text, section('Require all granted', EMPTY), '<Location')).toBe(0);
  expect(vetoesOf(section('Require all denied'), section('Require all granted', EMPTY), '<Location')).toBe(1);
});

test('looks at a section apart from those in it', () => {
  const files = (line: string): string => `<Files x.txt>\n${line}\n</Files>\n`;
  const [was, is] = [files('Deny from all'), files('Require all denied')].map((inner) =>
    section('Require all granted', inner),
  );
  expect(vetoesOf(was!, is!, '<Location')).toBe(0);
  expect(vetoesOf(was!, is!, '<Files')).toBe(1);
});

test('takes no module of 2.0 for one that may be there', () => {
  const hosts = [
    'Order allow,deny\nAllow from all\nDeny from 10.1\n',
    '<RequireAll>\nRequire all granted\nRequire not ip 10.1\n</RequireAll>\n',
  ] as const;
  const AUTH = 'AuthType Basic\nAuthName x\nAuthUserFile /u\nRequire valid-user\nSatisfy Any\n';
  const texts = (module: string): string[] =>
    hosts.map(
      (lines) =>
        `<Directory /srv/www/a>\n<IfModule ${module}>\n<IfVersion < 2.4>\n${AUTH}</IfVersion>\n</IfModule>\n</Directory>\n<Location /a>\n${lines}</Location>\n`,
    );
  const [was, is] = texts('mod_access.c');
  expect(vetoesOf(was!, is!, 'Listen')).toBe(0);
  const [other, others] = texts('mod_other.c');
  expect(vetoesOf(other!, others!, 'Listen')).toBe(1);
});
