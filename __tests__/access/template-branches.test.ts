import { accessView } from '../../src/access';
import { loadTree, memory } from '../../src/config';

const directory = (lines: string): string => `<Directory /srv/www>\n${lines}</Directory>\n`;
const ADDRESSES = 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\nSatisfy Any\n';
const LOGIN = 'AuthType Basic\nAuthName x\nAuthUserFile /u\nRequire valid-user\n';
const SERVER = 'ServerRoot /etc/httpd\nListen 80\n<Directory />\nAllowOverride None\n</Directory>\n';

/** In how many ways a request comes to the second of two sections for one directory, between lines of a template. */
function waysTo(before: string, between: string, after: string): number | undefined {
  const text = `${SERVER}${before}\n${directory(ADDRESSES)}${between}\n${directory(LOGIN)}${after}\n`;
  const load = { cwd: '/', defines: new Map<string, string>(), env: new Map<string, string>() };
  const tree = loadTree(memory(new Map([['/httpd.conf', text]])), ['/httpd.conf'], load);
  const [group] = accessView(tree).groups;
  return group!.sections.at(-1)!.inherits?.length;
}

test.each([
  ['{% if office %}', '{% else %}', '{% endif %}'],
  ['<% if @office -%>', '<% else -%>', '<% end -%>'],
  ['{{#if office}}', '{{else}}', '{{/if}}'],
  ['<?php if ($office) { ?>', '<?php } else { ?>', '<?php } ?>'],
  ['[% IF office %]', '[% ELSE %]', '[% END %]'],
])('what stands behind %s and %s is never there together', (before, between, after) => {
  expect(waysTo(before, between, after)).toBe(1);
});

test.each([
  ['two of their own', '{% if a %}', '{% endif %}\n{% if b %}', '{% endif %}'],
  ['one for each value', '{% for a in b %}', '{% elif c %}', '{% endfor %}'],
  ['one within the other', '{% if a %}', '{% if b %}', '{% endif %}\n{% endif %}'],
])('what may be there together is not told apart: %s', (_, before, between, after) => {
  expect(waysTo(before, between, after)).toBe(2);
});
