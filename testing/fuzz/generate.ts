import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunOptions } from '../../src/engine';
import { allDirectives } from '../../src/httpd/directives';
import { transforms } from '../../transforms';

/** What one case of the fuzzer runs over: absolute path → text. */
export interface FuzzCase {
  readonly files: Readonly<Record<string, string>>;
  readonly options: RunOptions;
  /** Names given with -D. */
  readonly defines: readonly string[];
}

/** Random numbers with a seed (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}

const RULES = transforms.map(({ id }) => id);
const NAMES = [...allDirectives()].map(({ name, section }) => ({ name, section }));

/** Lines on which decisions hang. */
const ACCESS = [
  'Order allow,deny', 'Order deny,allow', 'Order mutual-failure', 'Allow from all', 'Deny from all', 'Allow from 10.0.0.1', 'Allow from env=good',
  'Deny from env=!bad', 'Allow from .example.com', 'Deny from 10.0.0.0/8', 'Allow from 2001:db8::/32', 'Satisfy Any', 'Satisfy All', 'Require valid-user',
  'Require user ann "b c"', 'Require group staff', 'Require all granted', 'Require ip 10.1', 'Require not ip 10.2', 'AuthType Basic', 'AuthName x', 'AuthUserFile /u',
  'AuthGroupFile /g', 'AllowOverride None', 'AllowOverride All', 'AllowOverride Limit AuthConfig', 'Options Indexes +ExecCGI', 'SSLRequireSSL', 'SSLRequire %{REMOTE_ADDR} eq "1"',
  'AuthBasicAuthoritative Off', 'AuthzUserAuthoritative off', 'DirectoryIndex a b',
]; // prettier-ignore

const SECTIONS = [
  'Directory /a', 'Directory /a/b', 'Directory "/a/*"', 'DirectoryMatch "^/a/(b|c)"', 'Directory ~ "/x$"', 'Location /', 'Location /b', 'LocationMatch "\\.php$"', 'Files x.txt',
  'Files "*.inc"', 'FilesMatch "\\.(bak|old)$"', 'Files ~ "^\\.ht"', 'Limit GET', 'Limit POST PUT', 'LimitExcept GET', 'IfModule mod_authz_host.c', 'IfModule !mod_authz_core.c',
  'IfModule mod_authz_core.c', 'IfModule mod_access_compat.c', 'IfModule mod_rewrite.c', 'IfDefine X', 'IfDefine !X', 'IfVersion < 2.4', 'IfVersion >= 2.4', 'VirtualHost *:80', 'VirtualHost a:443', 'Proxy *',
  'RequireAll', 'RequireAny', 'RequireNone', 'If "true"', 'Else', 'IfVersion ~ ^2',
]; // prettier-ignore

const WORDS = [
  'on', 'off', 'All', 'None', 'from', '/a', '/a/b', '"/a b"', '*:80', 'x', '1', '0', '-1', '4096', 'env=x', '!x', '%{REQUEST_URI}', '%h', '"', "'", '\\', 'C:\\www\\\\', '^/(.*)$', '$1', '[L,R=301]', '(a+)+$',
  'text/html', 'mod_php5.c', 'php5_module', 'modules/mod_x.so', 'localhost', 'example.com', '\xe9', '${V}', '{{ x }}', '<% y %>', 'a,b', '-Indexes', '+All', 'expr=%{X}', '#', '=', '|prog', 'sha1', 'SSLv2', 'all -SSLv3',
]; // prettier-ignore

/** The inputs of the fixtures below a directory, the repository: texts that the rules have something to say about. */
export function fixtureTexts(root: string): readonly string[] {
  const top = join(root, '__fixtures__/transforms');
  return readdirSync(top, { recursive: true, encoding: 'latin1' })
    .filter((path) => /(?:^|\/)input(?:\.conf|\/.*(?:\.conf|\.htaccess))$/.test(path))
    .toSorted()
    .map((path) => readFileSync(join(top, path), 'latin1'))
    .filter((text) => text.length < 6000);
}

/** The cases of a seed, one after the other. */
export class CaseMaker {
  readonly #dice: Dice;
  readonly #texts: readonly string[];

  constructor(seed: number, texts: readonly string[]) {
    this.#dice = new Dice(seed);
    this.#texts = texts;
  }

  next(): FuzzCase {
    const files = this.#files();
    return { files, options: this.#options(Object.keys(files)), defines: this.#dice.chance(10) ? ['X'] : [] };
  }

  #options(paths: readonly string[]): RunOptions {
    const dice = this.#dice;
    const rules = (): readonly string[] => Array.from({ length: 1 + dice.below(4) }, () => dice.pick(RULES));
    return {
      ...(dice.chance(40) ? { dual: dice.chance(70) } : {}),
      ...(dice.chance(15) ? { safeOnly: true } : {}),
      ...(dice.chance(15) ? { pinDefaults: true } : {}),
      ...(dice.chance(10) ? { target: dice.pick([1, 16, 25, 41, 54]) } : {}),
      ...(dice.chance(10) ? { exact: true } : {}),
      ...(dice.chance(5) ? { rules: ['order-allow-deny', ...rules()] } : {}),
      ...(dice.chance(10) ? { skip: rules() } : {}),
      ...(dice.chance(3) ? { unwritable: new Map([[dice.pick(paths), 'read-only']]) } : {}),
    };
  }

  #files(): FuzzCase['files'] {
    const dice = this.#dice;
    switch (dice.below(8)) {
      case 0:
      case 1:
        return { '/w/.htaccess': this.#text() };
      case 2:
        return { '/w/a.conf': this.#text() };
      case 3:
        return {
          '/w/.htaccess': this.#text(),
          '/w/a/.htaccess': this.#text(),
          '/w/a/b/.htaccess': this.#text(),
        };
      case 4:
        return {
          '/etc/httpd.conf': `ServerRoot "/etc"\nListen 80\nDocumentRoot "/a"\n${dice.pick(['', 'LoadModule authz_host_module modules/mod_authz_host.so\n'])}Include ${dice.pick(['conf.d/*.conf', 'gone/*.conf', 'conf.d/x.conf'])}\n${this.#text()}`,
          '/etc/conf.d/x.conf': this.#text(),
          '/a/.htaccess': this.#text(),
          '/a/b/.htaccess': this.#text(),
        };
      case 5: {
        const host = (name: string): string =>
          `<VirtualHost *:80>\nServerName ${name}\nDocumentRoot ${dice.pick(['/a', '/a/b', '/w'])}\n${this.#text()}</VirtualHost>\n`;
        return {
          '/etc/httpd.conf': `ServerRoot "/etc"\nListen 80\n${this.#text()}NameVirtualHost *:80\n${host('a')}${host('b')}`,
          '/a/b/.htaccess': this.#text(),
          '/w/.htaccess': this.#text(),
        };
      }
      case 6:
        return {
          '/etc/httpd.conf': `ServerRoot "/etc"\nDocumentRoot "/a"\n<Directory "/a">\n${this.#text()}Include x.conf\n</Directory>\nAlias /w /w\n<Directory "/w">\nInclude x.conf\n</Directory>\n`,
          '/etc/x.conf': this.#text(),
          '/w/.htaccess': this.#text(),
        };
      default:
        return { '/etc/httpd.conf': `ServerRoot "/etc"\n${this.#text()}` };
    }
  }

  #text(): string {
    const dice = this.#dice;
    let lines = dice.chance(45) ? dice.pick(this.#texts).split('\n') : this.#lines(dice.below(12), 0);
    for (let changes = dice.below(5); changes > 0; changes--) lines = this.#changed(lines);
    let text = lines.join('\n');
    if (dice.chance(85) && text !== '') text += '\n';
    if (dice.chance(5)) text = text.replace(/\n/g, '\r\n');
    if (dice.chance(5)) text = this.#withBytes(text);
    return text;
  }

  #lines(count: number, depth: number): string[] {
    const lines: string[] = [];
    const indent = this.#dice.pick(['', '    ', '\t']).repeat(depth);
    for (let i = 0; i < count; i++) {
      if (depth < 4 && this.#dice.chance(30)) {
        const section = this.#dice.pick(SECTIONS);
        lines.push(`${indent}<${section}>`, ...this.#lines(this.#dice.below(4), depth + 1));
        lines.push(`${indent}</${section.split(' ')[0]!}>`);
      } else lines.push(indent + this.#line());
    }
    return lines;
  }

  #line(): string {
    const dice = this.#dice;
    if (dice.chance(60)) return dice.pick(ACCESS);
    if (dice.chance(10))
      return dice.pick([
        '# a comment',
        '',
        '# httpd-codemod-ignore',
        '\\',
        '<',
        '</Directory>',
        '{% if x %}',
        'Allow from \\',
      ]);
    const { name, section } = dice.pick(NAMES);
    const words = Array.from({ length: dice.below(4) }, () => dice.pick(WORDS)).join(' ');
    return section ? `<${name} ${words}>\n${dice.pick(ACCESS)}\n</${name}>` : `${name} ${words}`;
  }

  #changed(lines: readonly string[]): string[] {
    const dice = this.#dice;
    const at = dice.below(lines.length + 1);
    const to = Math.min(lines.length, at + 1 + dice.below(6));
    const [before, part, after] = [lines.slice(0, at), lines.slice(at, to), lines.slice(to)];
    switch (dice.below(9)) {
      case 0:
        return [...before, ...after];
      case 1:
        return [...before, ...part, ...part, ...after];
      case 2: {
        const section = dice.pick(SECTIONS);
        return [...before, `<${section}>`, ...part, `</${section.split(' ')[0]!}>`, ...after];
      }
      case 3:
        return [...before, this.#line(), ...part, ...after];
      case 4:
        return [...before, ...part.toReversed(), ...after];
      case 5:
        return [...before, ...dice.pick(this.#texts).split('\n'), ...part, ...after];
      case 6:
        return [...before, ...part.map((line) => line.replace(/[^ ]+$/, () => dice.pick(WORDS))), ...after];
      case 7:
        return [...before, ...part.map((line) => line.replace(/ /, ' \\\n  ')), ...after];
      default:
        return [...before, ...part.map((line) => line.slice(0, dice.below(line.length + 1))), ...after];
    }
  }

  #withBytes(text: string): string {
    const dice = this.#dice;
    let mixed = text;
    for (let count = 1 + dice.below(4); count > 0; count--) {
      const at = dice.below(mixed.length + 1);
      mixed = mixed.slice(0, at) + String.fromCharCode(dice.below(256)) + mixed.slice(at + dice.below(2));
    }
    return mixed;
  }
}
