import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { strFromU8, unzipSync, zipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import {
  convertText,
  faults,
  openPage,
  settled,
  startChromium,
  type WatchedPage,
} from '../../testing/browser/chromium';
import { STOCK_SERVERS } from '../../testing/stock/servers';

const HOME = join(__dirname, '../..');

const VIRTUAL_HOST = `<VirtualHost *:80>
    ServerName www.example.com
    DocumentRoot /srv/www
    <Directory /srv/www>
        Order allow,deny
        Allow from all
    </Directory>
    <Directory /srv/www/private>
        Order deny,allow
        Deny from all
        Allow from 10.0.0.0/8
    </Directory>
    MaxClients 10
</VirtualHost>
`;

let scratch: string;
let browser: Browser;
let address: string;
let open: WatchedPage;
let page: Page;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'page-'));
  const made = spawnSync(process.execPath, [
    join(HOME, 'scripts/site/page.mjs'),
    join(scratch, 'below/convert'),
  ]);
  expect(String(made.stderr)).toBe('');
  address = pathToFileURL(join(scratch, 'below/convert/index.html')).href;
  browser = await startChromium();
  open = await openPage(browser, address);
  ({ page } = open);
}, 300_000);

afterAll(async () => {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}, 60_000);

beforeEach(async () => {
  await page.goto('about:blank');
  await page.goto(address);
  await page.waitForSelector('body[data-ready]');
});

afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

/** The text on the right. */
const result = (): Promise<string> =>
  page
    .locator('[aria-label="Configuration for httpd 2.4"] .cm-line')
    .allInnerTexts()
    .then((lines) => lines.join('\n'));

async function saved(button: string): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test('the editor is there after 200 kB, and all of the page is 710 kB, compressed', () => {
  const folder = join(scratch, 'below/convert');
  const sizeOf = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  expect(sizeOf(['index.html', 'page.js'])).toBeLessThan(200_000);
  expect(sizeOf(readdirSync(folder))).toBeLessThan(710_000);
});

test('the first view does not wait for the script of the page to run', async () => {
  const context = await browser.newContext();
  const early = await context.newPage();
  await early.addInitScript('self.requestAnimationFrame = (frame) => void (self.frame = frame)');
  await early.goto(address, { waitUntil: 'load' });
  expect(await early.evaluate('document.body.dataset.ready')).toBeUndefined();
  await early.fill('#plain', 'MaxClients 10');
  await early.evaluate('frame()');
  await early.waitForSelector('body[data-ready]');
  expect(await early.innerText('[aria-label="Configuration for httpd 2.2"]')).toBe('MaxClients 10');
  await context.close();
});

test('the editor takes keys before the program that converts has come, and the answer follows', async () => {
  let send = (): void => undefined;
  const isAsked = new Promise<void>((asked) => {
    void page.route('**/worker.js', async (route) => {
      asked();
      await new Promise<void>((resolve) => {
        send = resolve;
      });
      await route.continue();
    });
  });
  await page.goto('about:blank');
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForSelector('body[data-ready]');
  await page.locator('[aria-label="Configuration for httpd 2.2"]').focus();
  await page.keyboard.type('MaxClients 10');
  await isAsked;
  expect(await page.innerText('[aria-label="Configuration for httpd 2.2"]')).toBe('MaxClients 10');
  await page.waitForSelector('body[data-state=working]');
  send();
  await page.locator('#editors', { hasText: 'MaxRequestWorkers 10' }).waitFor();
  await page.unroute('**/worker.js');
});

test('a pasted virtual host is converted, line by line, with the verdict first', async () => {
  expect(await convertText(page, VIRTUAL_HOST)).toContain(
    'Nobody new gets in and nobody loses access, if the assumptions hold.',
  );
  expect(await result()).toContain('Require ip 10.0.0.0/8');
  expect(await result()).toContain('MaxRequestWorkers 10');
  const findings = await page.locator('#findings > li').allInnerTexts();
  expect(findings.join('\n')).toContain('line 13');
  expect(findings.join('\n')).toContain('MaxClients is called MaxRequestWorkers in 2.4');
  expect(await page.innerText('#kind')).toContain('part of httpd.conf, it seems');
  expect((await saved('#save-text')).bytes.toString()).toContain('Require ip 10.0.0.0/8');
  expect((await saved('#save-patch')).bytes.toString()).toContain('+        Require ip 10.0.0.0/8');
});

test('a change can be left out and applied again, and the line keeps its reason', async () => {
  await convertText(page, VIRTUAL_HOST);
  await page.click('button[aria-label="Leave out the change at line 13"]');
  await page.waitForSelector('button[aria-label="Apply the change at line 13"]');
  expect(await result()).toContain('MaxClients 10');
  expect(await result()).toContain('Require ip 10.0.0.0/8');
  await page.click('button[aria-label="Apply the change at line 13"]');
  await page.waitForSelector('button[aria-label="Leave out the change at line 13"]');
  expect(await result()).toContain('MaxRequestWorkers 10');
});

/** Whether an element begins in the window. */
const isSeen = (selector: string): Promise<boolean> =>
  page.evaluate(
    `(() => { const { top } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return top >= 0 && top < innerHeight; })()`,
  );

test('what is pasted is seen from its beginning, below its verdict', async () => {
  await convertText(page, VIRTUAL_HOST.repeat(9));
  expect(await page.evaluate(`document.querySelector('.cm-mergeView').scrollTop`)).toBe(0);
  expect(await isSeen('#verdict')).toBe(true);
  expect(await isSeen('#save-text')).toBe(true);
});

test('an assumption is answered with yes or no, and the answer taken back', async () => {
  await convertText(page, VIRTUAL_HOST.replace('MaxClients 10', ''));
  // The verdict leads to what it rests on, and what was answered is said beside the answer.
  expect(await page.innerText('#lead')).toBe('What is assumed: 1 to answer, for 2 changes');
  await page.click('#lead');
  expect(await isSeen('#assumed')).toBe(true);
  await page.click('[data-answer="all-files-given=yes"]');
  await page.waitForSelector('[data-answer="all-files-given=yes"][aria-pressed=true]');
  expect(await page.innerText('#verdict')).toContain('Nobody new gets in and nobody loses access.');
  expect(await page.innerText('#assumptions')).toContain('(its changes are certain now)');
  expect(await page.isVisible('#lead')).toBe(false);
  await page.click('[data-answer="all-files-given=no"]');
  await page.waitForSelector('[data-answer="all-files-given=no"][aria-pressed=true]');
  expect(await page.innerText('#assumptions')).toContain('(its changes are taken back now)');
  expect(await result()).toContain('Order allow,deny');
  await page.click('[data-answer="all-files-given=no"]');
  await page.waitForSelector('[data-answer="all-files-given=no"][aria-pressed=false]');
  expect(await result()).toContain('Require all granted');
});

test('the switches: both versions, an older release, exact text only', async () => {
  await convertText(page, 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n');
  await page.check('#dual');
  await page.locator('#editors', { hasText: 'mod_authz_core' }).waitFor();
  await page.uncheck('#dual');
  await page.locator('#editors', { hasNotText: 'mod_authz_core' }).waitFor();
  await page.selectOption('#target', '4');
  await page.selectOption('#exact', 'exact');
  expect(await settled(page)).toBe('done');
});

test('a request is answered for 2.2, 2.4 with the old text, and 2.4 with the new; a message is explained', async () => {
  await convertText(page, VIRTUAL_HOST);
  await page.fill('#question', 'GET /private/ from 10.1.2.3 as alice');
  await page.press('#question', 'Enter');
  // MaxClients cannot stand in a virtual host.
  await page.locator('#reply .none', { hasText: 'does not start: see line 13' }).first().waitFor();
  await convertText(page, VIRTUAL_HOST.replace(/ *MaxClients.*\n/, ''));
  await page.locator('#reply .unknown', { hasText: 'mod_access_compat' }).waitFor();
  expect(await page.locator('#reply .version h3').allInnerTexts()).toEqual([
    '2.2',
    '2.4 with the old text',
    '2.4 with the new text',
  ]);
  expect(await page.locator('#reply .version .answer').allInnerTexts()).toEqual([
    'lets it in',
    'only with mod_access_compat: lets it in',
    'lets it in',
  ]);
  // Where all agree, the answer alone is there; what each section says is one press away.
  expect(await page.isVisible('#reply .version pre')).toBe(false);
  for (const sections of await page.locator('#reply summary').all()) await sections.click();
  expect(await page.innerText('#reply')).toContain('Allow from 10.0.0.0/8 (line 11)');
  expect(await page.innerText('#reply')).not.toMatch(/pasted\.conf|vhost=/);
  expect(await page.innerText('#reply')).not.toContain('unknown answer');
  await page.fill(
    '#question',
    '[error] [client 10.1.2.3] client denied by server configuration: /srv/www/private/',
  );
  await page.click('#ask button');
  await page.locator('#reply .said', { hasText: 'decided by:' }).waitFor();
  await page.fill(
    '#question',
    "AH00526: Syntax error on line 2 of /etc/httpd/a.conf: Invalid command 'Order', perhaps misspelled or defined by a module not included in the server configuration",
  );
  await page.click('#ask button');
  await page.waitForSelector('#reply .said');
  expect(await page.innerText('#reply')).toContain('remedy:');
  await page.fill('#question', 'what is this');
  await page.click('#ask button');
  await page.waitForSelector('#reply .open');
  expect(await page.innerText('#reply')).toContain('GET /private/ from 10.1.2.3 as alice');
});

test('an answer that something unknown may change says what it is', async () => {
  const rewriting = VIRTUAL_HOST.replace('MaxClients 10', 'RewriteEngine On\nRewriteRule ^/p /x');
  await convertText(page, rewriting.replace('*:80', '*:443'));
  await page.fill('#question', 'GET /private/ from 10.1.2.3');
  await page.press('#question', 'Enter');
  await page.waitForSelector('#reply .version');
  expect(await page.locator('#reply .open').innerText()).toBe('Both versions agree, as far as is known.');
  const said = await page.innerText('#reply');
  expect(said).toContain('Allow from 10.0.0.0/8 (line 11)');
  expect(said).toContain('unknown: whether RewriteRule ^/p leads the request elsewhere');
  expect(said).toContain(
    'the first virtual host answers, <VirtualHost *:443> (ServerName www.example.com) at line 1 (add "vhost NAME" for another)',
  );
});

test('a link holds the text, the switches and the answers', async () => {
  await convertText(page, VIRTUAL_HOST);
  await page.selectOption('#target', '10');
  await page.click('[data-answer="all-files-given=yes"]');
  await page.waitForSelector('[data-answer="all-files-given=yes"][aria-pressed=true]');
  await page.click('#share');
  await page.waitForURL(/#t=/);
  const link = page.url();
  await page.goto('about:blank');
  await page.goto(link);
  await page.waitForSelector('[data-answer="all-files-given=yes"][aria-pressed=true]');
  expect(await page.inputValue('#target')).toBe('10');
  // Nothing asks it any more: it still stands there in words.
  expect(await page.innerText('#assumptions')).toContain('Only the files given restrict access');
  expect(await result()).toContain('Require ip 10.0.0.0/8');
  for (const [broken, told] of [
    ['#t=AAAA', 'The link is damaged or cut off.'],
    ['#t=', 'The link is damaged or cut off.'],
    ['#t=7cEBAQAAAIIg_6_u', 'The link is damaged or cut off.'],
    ['#t=%3Cimg%3E', 'The link is damaged or cut off.'],
    ['#x', 'Paste a configuration below.'],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(address + broken);
    await page.waitForSelector('body[data-state=empty]');
    await page.locator('#verdict', { hasText: told }).waitFor();
  }
});

test('a no leaves changes out, and the verdict is no good one', async () => {
  await convertText(page, VIRTUAL_HOST);
  await page.click('[data-answer="all-files-given=no"]');
  await page.waitForSelector('[data-answer="all-files-given=no"][aria-pressed=true]');
  await page.waitForSelector('body[data-verdict=blocked]');
  const findings = await page.innerText('#findings');
  expect(findings).toContain('answered no to all-files-given)');
});

test('the modules of the new server settle what hangs on them, and go with a link', async () => {
  await convertText(page, 'LoadModule perl_module modules/mod_perl.so\nListen 80\nSetHandler perl-script\n');
  expect(await page.innerText('#findings')).toContain('2.4 cannot load perl_module');
  await page.click('#modules-box summary');
  await page.fill('#modules', 'no list');
  await page.waitForSelector('body[data-state=failed]');
  expect(await page.innerText('#verdict')).toContain('the field "Modules of the new server" names none');
  await page.fill('#modules', 'Loaded Modules:\n core_module (static)\n perl_module (shared)\n');
  await page.waitForSelector('body[data-state=done]');
  expect(await page.innerText('#findings')).not.toContain('2.4 cannot load perl_module');
  expect(await page.innerText('#findings')).toContain('the target does not load filter_module');
  await page.click('#share');
  await page.waitForURL(/#t=/);
  const link = page.url();
  await page.goto('about:blank');
  await page.goto(link);
  await page.locator('#findings', { hasText: 'the target does not load filter_module' }).waitFor();
  expect(await page.inputValue('#modules')).toContain('perl_module (shared)');
});

test('a link says what it is for a text that no link can hold', async () => {
  await convertText(page, `${'# a\n'.repeat(250_001)}MaxClients 10\n`);
  await page.click('#share');
  await page.locator('#done', { hasText: 'too long for a link' }).waitFor();
  expect(page.url()).toBe(address);
});

test('what keeps 2.4 from starting is one press away, and a question stays where it is when it is answered', async () => {
  await convertText(
    page,
    `${'# a note\n'.repeat(80)}LockFile a\nRewriteEngine On\nRewriteLog /tmp/a\nAddHandler php5-script .php\n${VIRTUAL_HOST}`,
  );
  const asked = (): Promise<string[]> => page.locator('#assumptions .assumption').allInnerTexts();
  const texts = (all: readonly string[]): string[] => all.map((text) => text.slice(0, 40));
  const before = await asked();
  expect(before.length).toBeGreaterThan(2);
  expect(before.join('\n')).toContain('(line 81)');
  expect(before.join('\n')).not.toContain('pasted.conf');
  await page.click('[data-answer="all-files-given=yes"]');
  await page.waitForSelector('[data-answer="all-files-given=yes"][aria-pressed=true]');
  expect(texts(await asked())).toEqual(texts(before));
  await page.click('#lead');
  expect(await isSeen('#findings .blocker')).toBe(true);
});

test('a question is asked without the words of the command', async () => {
  await convertText(page, 'AddHandler php5-script .php\n');
  const asked = await page.innerText('#assumptions');
  expect(asked).toContain('through PHP-FPM, as a module or not at all');
  expect(asked).not.toMatch(/php=|--/);
});

test('a question has its choices as buttons; an answer that is none of them is said, and can be taken back', async () => {
  await convertText(page, 'AddHandler php5-script .php\n');
  await page.click('[data-answer="php=none"]');
  await page.waitForSelector('[data-answer="php=none"][aria-pressed=true]');
  expect(await page.innerText('#verdict')).toContain('0 blockers');
  await page.click('[data-answer="php=none"]');
  await page.waitForSelector('[data-answer="php=none"][aria-pressed=false]');
  await page.fill('#assumptions input', 'nonsense');
  await page.click('[data-answer="php"]');
  await page.waitForSelector('body[data-state=failed]');
  expect(await page.innerText('#verdict')).toContain('the answer to php is fpm:/PATH/OF/SOCKET');
  expect((await result()).trim()).toBe('');
  await page.fill('#assumptions input', 'fpm:/run/php.sock');
  await page.click('[data-answer="php"]');
  await page.waitForSelector('body[data-state=done]');
  expect(await result()).toContain('proxy:unix:/run/php.sock');
});

test('what several lines have in common is said once, one press from its question', async () => {
  await convertText(page, 'php_value memory_limit 64M\nphp_value max_execution_time 30\n');
  const item = page.locator('#findings li', { hasText: 'a setting of PHP' });
  expect(await item.locator('.line').allInnerTexts()).toEqual(['line 1', 'line 2']);
  await item.getByRole('button', { name: 'Answer it' }).click();
  expect(await page.evaluate('document.activeElement.id')).toBe('assumed');
});

test('what only a yes settles has a Yes, and it can be taken back', async () => {
  await convertText(page, 'LoadModule perl_module a.so\nListen 80\nAddHandler python-program .py\n');
  expect(await page.innerText('#findings')).toContain('Yes at "Is this so?", if they are to stay refused');
  expect(await page.innerText('#assumptions')).toContain('2.4 has mod_perl');
  expect(await page.locator('[data-answer="handler-without-module=no"]').count()).toBe(0);
  await page.click('[data-answer="handler-without-module=yes"]');
  await page.locator('#findings', { hasText: 'they are refused, as answered' }).waitFor();
  await page.click('[data-answer="perl=yes"]');
  await page.locator('#verdict', { hasText: '0 blockers' }).waitFor();
  await page.click('[data-answer="perl=yes"][aria-pressed=true]');
  await page.locator('#verdict', { hasText: '1 blocker' }).waitFor();
});

test('a finding names what the page has, where the command would be given an option', async () => {
  await convertText(page, 'AddHandler php5-script .php\nAddType text/html .php\n');
  const found = await page.innerText('#findings');
  expect(found).toContain('at "Is this so?"');
  expect(found).not.toContain('--answer');
  expect(await page.isVisible('#assumed-head')).toBe(true);
});

test('what was said of a text does not hold for the next one', async () => {
  const buffer = Buffer.from('Order allow,deny\nDeny from all\n');
  await page.setInputFiles('#files-input', { name: '.htaccess', mimeType: 'text/plain', buffer });
  await page.waitForSelector('body[data-state=done]');
  expect(await convertText(page, VIRTUAL_HOST)).toContain('Nobody new gets in and nobody loses access');
  await page.click('[data-answer="all-files-given=yes"]');
  await page.waitForSelector('[data-answer="all-files-given=yes"][aria-pressed=true]');
  await convertText(page, VIRTUAL_HOST.replaceAll('/srv/www', '/srv/other'));
  await page.waitForSelector('[data-answer="all-files-given=yes"][aria-pressed=false]');
});

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
] as const)(
  'nothing is in the way of anybody: axe finds no fault, %s, in a window of %d',
  async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect(await faults(page)).toEqual([]);
    await convertText(page, `${VIRTUAL_HOST}AddHandler php5-script .php\n`);
    await page.fill('#question', 'GET /private/ from 10.1.2.3 as alice');
    await page.press('#question', 'Enter');
    await page.waitForSelector('#reply .version');
    expect(await faults(page)).toEqual([]);
    await drop('server.zip', zipOf({ 'www/.htaccess': 'Order allow,deny\nDeny from all\n' }));
    expect(await faults(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  },
);

test('all of it by the keyboard', async () => {
  const content = page.locator('[aria-label="Configuration for httpd 2.2"]');
  await content.focus();
  await page.keyboard.type('MaxClients 10');
  await page.waitForSelector('body[data-state=done]');
  // Tab leaves the editor.
  await page.keyboard.press('Tab');
  expect(await page.evaluate(`document.activeElement.closest('.cm-merge-a')`)).toBe(null);
  await page.locator('[aria-label="Leave out the change at line 1"]').press('Enter');
  await page.locator('[aria-label="Apply the change at line 1"]').waitFor();
  // The focus stays where it was, on the button that does the opposite now.
  await page.locator('[aria-label="Apply the change at line 1"]:focus').waitFor();
});

/** How many lines of an explained message are wrapped, and how many of these go on at the margin or before. */
const WRAPPED = `(() => {
  const rows = [...document.querySelectorAll('#reply .said .row')];
  const margin = Math.min(...rows.map((row) => row.getBoundingClientRect().left));
  const wrapped = rows.map((row) => {
    const range = document.createRange();
    range.selectNodeContents(row);
    return [...range.getClientRects()].slice(1);
  }).filter((rects) => rects.length > 0);
  return [wrapped.length, wrapped.filter((rects) => rects.some(({ left }) => left <= margin + 8)).length];
})()`;

test.each([360, 1280])('nothing moves while the page becomes ready, %i pixels wide', async (width) => {
  await page.setViewportSize({ width, height: 740 });
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  const shifts = await page.evaluate(
    `new Promise((done) => {
      const found = [];
      new PerformanceObserver((list) => found.push(...list.getEntries().map(({ value }) => value))).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done(found), 200);
    })`,
  );
  expect(shifts).toEqual([]);
});

test('on a phone the new text stands below the old one, and nothing is wider than the screen', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  // What is pasted comes before how it is converted.
  await page.locator('#dual').waitFor({ state: 'hidden' });
  await page.click('#how > summary');
  await page.locator('#dual').waitFor();
  // Which buttons belong to which question is seen: a line parts it from the next.
  await convertText(page, VIRTUAL_HOST.replace('10.0.0.0/8', '${OFFICE}'));
  expect(
    await page.evaluate(`getComputedStyle(document.querySelector('#assumptions li + li')).borderTopWidth`),
  ).toBe('1px');
  await convertText(page, VIRTUAL_HOST);
  await page.locator('.below', { hasText: 'Require ip 10.0.0.0/8' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  // The answer is seen without a search for it.
  await page.fill('#question', 'GET /private/ from 10.1.2.3 as alice');
  await page.press('#question', 'Enter');
  await page.waitForSelector('#reply .version');
  await page.waitForFunction(
    `document.querySelector('#reply').getBoundingClientRect().top < innerHeight / 3`,
  );
  for (const sections of await page.locator('#reply summary').all()) await sections.click();
  // All of it is there, and each line that is wrapped stays below its own beginning.
  expect(
    await page.evaluate(
      `[...document.querySelectorAll('#reply pre')].map((pre) => pre.scrollHeight - pre.clientHeight)`,
    ),
  ).toEqual([0, 0, 0, 0]);
  await page.fill('#question', 'AH01630: client denied by server configuration: /srv/www/private/x');
  await page.press('#question', 'Enter');
  await page.waitForSelector('#reply .said');
  const [wrapped, atMargin] = await page.evaluate<[number, number]>(WRAPPED);
  expect(wrapped).toBeGreaterThan(5);
  expect(atMargin).toBe(0);
  const heads = ['alone', 'below'].map((kind) =>
    page.evaluate(`getComputedStyle(document.querySelector('.cm-editor.${kind}'), '::before').content`),
  );
  expect(await Promise.all(heads)).toEqual(['"2.2, before"', '"2.4, after"']);
  // Both have room, also while the old one has the focus.
  await page.locator('[aria-label="Configuration for httpd 2.2"]').focus();
  for (const kind of ['alone', 'below'])
    expect((await page.locator(`.cm-editor.${kind}`).boundingBox())?.height).toBeGreaterThan(200);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.locator('#dual').waitFor();
  // The text below is called .cm-merge-b, too.
  await page.locator('.cm-mergeView .cm-merge-b', { hasText: 'Require ip 10.0.0.0/8' }).waitFor();
  expect(await page.locator('.below').count()).toBe(0);
});

test.each([1280, 390])('printed it has every line of both texts, in a window of %d', async (width) => {
  await page.setViewportSize({ width, height: 600 });
  const text = Array.from({ length: 200 }, (_, i) => `# ${i}\nMaxClients ${i}\n`).join('');
  await convertText(page, `${text}Listen 80`);
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await page.emulateMedia({ media: 'print' });
  const lines = await page.locator('#printed > div').allTextContents();
  const expected = Array.from({ length: 200 }, (_, i) => [
    `  # ${i}`,
    `- MaxClients ${i}`,
    `+ MaxRequestWorkers ${i}`,
  ]);
  expect(lines).toEqual([...expected.flat(), '  Listen 80']);
  expect(await page.locator('#editors, #findings button').first().isVisible()).toBe(false);
  expect(await page.locator('#printed').isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  expect(await page.locator('#printed > div').count()).toBe(0);
  // It was no window that has become narrow.
  expect(await page.locator('.below').count()).toBe(width < 896 ? 1 : 0);
  await page.setViewportSize({ width: 1280, height: 900 });
});

const HOSTILE = `</script><script>pwned = 1</script>
<img src=x onerror="pwned = 1">
<Directory "/srv/<img src=x onerror='pwned=1'>">
Order allow,deny
Deny from all
Allow from "<svg/onload=alert(1)>"
</Directory>
MaxClients "</textarea><script>alert(1)</script>"
`;

test('what is pasted never runs, nor what is asked', async () => {
  await convertText(page, HOSTILE);
  await page.fill('#question', '<img src=x onerror="pwned=1">');
  await page.click('#ask button');
  await page.waitForSelector('#reply > *');
  expect(await page.evaluate('typeof pwned')).toBe('undefined');
  expect(await page.locator('#findings img, #reply img, #verdict img, #editors img').count()).toBe(0);
});

const zipOf = (files: Record<string, string>): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))),
  );

async function drop(name: string, buffer: Buffer): Promise<string> {
  await page.evaluate('delete document.body.dataset.state');
  await page.setInputFiles('#files-input', { name, mimeType: 'application/octet-stream', buffer });
  const state = await settled(page);
  if (state === 'done') await page.waitForSelector('#files[aria-busy=false]', { state: 'attached' });
  return state;
}

test('a server is dropped as a zip: the report, the files that change, the patch, the script', async () => {
  const server = STOCK_SERVERS['CentOS 6']!;
  const files = Object.fromEntries(Object.entries(server).map(([path, text]) => [path.slice(1), text]));
  await page.fill('#question', 'GET /before');
  expect(await drop('server.zip', zipOf(files))).toBe('done');
  expect(await page.inputValue('#question')).toBe('');
  expect(await page.innerText('#verdict')).toContain('changes in 1 file');
  expect(await page.innerText('#report')).toContain('To do, in this order');
  expect(await page.locator('#files details.file').count()).toBeGreaterThan(0);
  await page.locator('#files details.file .diff').first().waitFor();
  const { bytes } = await saved('#save-zip');
  const texts = unzipSync(bytes);
  expect(strFromU8(texts['server/etc/httpd/conf/httpd.conf']!)).toContain('Require all');
  expect((await saved('#save-patch')).bytes.toString()).toContain('+++ b/server/etc/httpd/conf/httpd.conf');
  expect((await saved('#save-script')).bytes.toString()).toMatch(/^#!\/bin\/sh/);
  await page.locator('#assumptions [data-answer$="=yes"]').first().click();
  await page.waitForSelector('#assumptions [data-answer$="=yes"][aria-pressed=true]');
  await page.click('#back');
  await page.waitForSelector('body[data-mode=text]');
});

test('an archive from anybody: names that lead elsewhere, markup in names, what is no archive', async () => {
  const state = await drop(
    'evil.zip',
    zipOf({
      '../../etc/passwd': 'Order allow,deny\n',
      'a/../../../b.conf': 'Order allow,deny\n',
      '<img src=x onerror="pwned=1">.conf': 'MaxClients 10\n',
      'www/.htaccess': 'Order allow,deny\nDeny from all\n',
    }),
  );
  expect(state).toBe('done');
  expect(await page.innerText('#notes')).toContain('a name that leads elsewhere: evil/../../etc/passwd');
  expect(await page.evaluate('typeof pwned')).toBe('undefined');
  expect(await page.locator('#report img').count()).toBe(0);
  // What is typed where there is a command is none of the page's.
  expect(await page.locator('#report .command:visible, #report .assumed:visible').count()).toBe(0);
  expect(Object.keys(unzipSync((await saved('#save-zip')).bytes)).toSorted()).toEqual([
    'evil/<img src=x onerror="pwned=1">.conf',
    'evil/www/.htaccess',
  ]);
  expect(await drop('broken.zip', Buffer.from('PK\x03\x04 and no more'))).toBe('failed');
  expect(await page.innerText('#verdict')).toContain('no zip, or one that is cut off');
  writeFileSync(join(scratch, 'later.tar'), 'no tar at all'.repeat(100));
  expect(await drop('later.tar', readFileSync(join(scratch, 'later.tar')))).toBe('failed');
  expect(await page.innerText('#verdict')).toContain('no tar');
});

test('what is still being converted when it goes is not shown', async () => {
  const sections = Array.from(
    { length: 3000 },
    (_, i) => `<Directory /srv/${i}>\nDeny from all\n</Directory>\n`,
  );
  const buffer = zipOf({ 'www/a.conf': sections.join(''), 'www/b.conf': 'MaxClients 10\n' });
  await page.setInputFiles('#files-input', { name: 'server.zip', mimeType: 'application/zip', buffer });
  await page.click('#back');
  expect(await page.getAttribute('body', 'data-state')).toBe('empty');
  await page.waitForTimeout(5000);
  expect(await page.getAttribute('body', 'data-state')).toBe('empty');
  expect(await page.innerText('#verdict')).toContain('Paste a configuration below.');
  expect(await convertText(page, VIRTUAL_HOST)).toContain('Nobody new gets in');
});

/** Drops a directory that the page makes up: its second part comes when the page is told to go on. */
const DROP_DIRECTORY = `(() => {
  const file = (name) => ({ isFile: true, name, fullPath: '/www/' + name, file: (give) => give(new File(['MaxClients 10'], name)) });
  const unreadable = { isFile: true, name: 'c.conf', fullPath: '/www/c.conf', file: (give, fail) => fail(new Error('NotFoundError')) };
  const parts = [() => Promise.resolve([file('a.conf'), unreadable]), () => new Promise((go) => (window.goOn = () => go([file('b.conf')]))), () => Promise.resolve([])];
  const directory = { isFile: false, name: 'www', fullPath: '/www', createReader: () => ({ readEntries: (give) => void parts.shift()().then(give) }) };
  DataTransferItem.prototype.webkitGetAsEntry = () => directory;
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([''], 'www'));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
})()`;

test('a directory that is dropped is read, with what cannot be read of it named; cancelled before, it is not', async () => {
  await page.evaluate(DROP_DIRECTORY);
  await page.waitForFunction('window.goOn !== undefined');
  await page.click('#cancel');
  expect(await page.innerText('#verdict')).toContain('Cancelled.');
  await page.evaluate('window.goOn(); delete window.goOn');
  await page.waitForTimeout(1000);
  expect(await page.getAttribute('body', 'data-state')).toBe('cancelled');
  await page.evaluate(DROP_DIRECTORY);
  await page.waitForFunction('window.goOn !== undefined');
  expect(await page.innerText('#progress')).toBe('Looking for files');
  await page.evaluate('window.goOn()');
  await page.waitForSelector('body[data-state=done]');
  expect(await page.innerText('#verdict')).toContain('2 changes in 2 files');
  expect(await page.innerText('#notes')).toBe('Not read, the browser cannot read it: www/c.conf');
});

test.each([
  ['Latin-1', '# caf\xe9\nMaxClients 10\n'],
  ['CRLF', 'MaxClients 10\r\nUser www\r\n'],
  ['a BOM', '\xef\xbb\xbfMaxClients 10\n'],
])('a single file keeps its bytes: %s', async (_, text) => {
  expect(await drop('httpd.conf', Buffer.from(text, 'latin1'))).toBe('done');
  const files = unzipSync((await saved('#save-zip')).bytes);
  expect(Buffer.from(files['httpd.conf']!).toString('latin1')).toBe(
    text.replace('MaxClients', 'MaxRequestWorkers'),
  );
});

test('a single file of plain text comes into the editor, without what was left out of the text before', async () => {
  await convertText(page, 'MaxClients 10\n');
  await page.click('button[aria-label="Leave out the change at line 1"]');
  await page.waitForSelector('button[aria-label="Apply the change at line 1"]');
  const buffer = Buffer.from('MaxClients 10\n# caf\u00e9\n');
  await page.setInputFiles('#files-input', { name: 'httpd.conf', mimeType: 'text/plain', buffer });
  await page.waitForSelector('button[aria-label="Leave out the change at line 1"]');
  expect(await result()).toContain('MaxRequestWorkers 10\n# caf\u00e9');
});

test('an answer about a text goes with the text', async () => {
  await convertText(page, VIRTUAL_HOST);
  await page.fill('#question', 'GET /private/ from 10.1.2.3 as alice');
  await page.press('#question', 'Enter');
  await page.waitForSelector('#reply .version');
  await page.locator('[aria-label="Configuration for httpd 2.2"]').fill('');
  await page.waitForSelector('body[data-state=empty]');
  expect(await page.innerText('#reply')).toBe('');
});
