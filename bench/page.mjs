// node bench/page.mjs [SITE]: what the page that converts needs: bytes, the first view on a slow phone, an answer to a keystroke,
// a large text, a large server. Prints a line each. SITE is what `npm run site` has made.
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const site = join(process.argv[2] ?? 'site', 'convert');
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** A slow phone: Chromium's "Slow 4G", and a processor four times as slow. */
const SLOW = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6e6 / 8) * 0.9,
  uploadThroughput: 750e3 / 8,
};

/** Milliseconds that a person looks at an answer before typing, and between two letters. */
const LOOK_MS = 3000;
const PAUSE_MS = 150;

/** Milliseconds that node takes to start, so that machines compare. */
const NODE_MS = Math.min(
  ...Array.from({ length: 5 }, () => {
    const began = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return performance.now() - began;
  }),
);
const ofNode = (milliseconds) =>
  `${Math.round(milliseconds)} ms (${(milliseconds / NODE_MS).toFixed(1)} starts of node)`;

const say = (what, value) => process.stdout.write(`${what}: ${value}\n`);

const sizes = readdirSync(site).map((name) => [
  name,
  gzipSync(readFileSync(join(site, name)), { level: 9 }).length,
]);
for (const [name, size] of sizes) say(`compressed ${name}`, `${Math.round(size / 1000)} kB`);
say('compressed in all', `${Math.round(sizes.reduce((sum, [, size]) => sum + size, 0) / 1000)} kB`);

const server = createServer((request, response) => {
  const name = (request.url ?? '/').slice(1) || 'index.html';
  const type = TYPES[extname(name)];
  if (type === undefined) return response.writeHead(404).end();
  const headers = { 'content-type': type, 'content-encoding': 'gzip' };
  return response.writeHead(200, headers).end(gzipSync(readFileSync(join(site, name))));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: QUIET,
});
const scratch = mkdtempSync(join(tmpdir(), 'page-bench-'));
async function firstView() {
  const context = await browser.newContext({
    viewport: { width: 390, height: 800 },
    serviceWorkers: 'block',
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(`window.shift = 0; new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new MutationObserver(() => (window.ready ??= document.body?.dataset.ready && performance.now()))
    .observe(document, { attributes: true, subtree: true })`);
  await page.goto(address);
  await page.waitForSelector('body[data-ready]', { timeout: 60_000 });
  // By the page's own clock: who asks from outside has to wait for what the page does next.
  const ready = await page.evaluate('window.ready');
  const paint = await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`);
  say('slow phone: first view', `${Math.round(paint)} ms`);
  say('slow phone: editor ready', `${Math.round(ready)} ms`);
  say('kB before a text can be typed or pasted', await loadedBy(page, paint));
  say('kB before the editor is ready', await loadedBy(page, ready));
  await page.click('#example');
  await page.waitForSelector('body[data-state=done]', { timeout: 60_000 });
  const answered = await page.evaluate('performance.now()');
  say('slow phone: first answer', `${Math.round(answered)} ms`);
  say('kB before the first answer', await loadedBy(page, answered));
  say('layout shift', await page.evaluate('window.shift.toFixed(4)'));
  await context.close();
}

/** Kilobytes, compressed, that had come by then. */
async function loadedBy(page, milliseconds) {
  const entries =
    await page.evaluate(`['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
    .map(({ responseEnd, encodedBodySize }) => [responseEnd, encodedBodySize])`);
  const come = entries.filter(([end]) => end <= milliseconds);
  return Math.round(come.reduce((sum, [, size]) => sum + size, 0) / 1000);
}

function virtualHosts(count) {
  return Array.from(
    { length: count },
    (_, i) => `<VirtualHost *:80>
    ServerName site${i}.example.com
    DocumentRoot /srv/www/site${i}
    <Directory /srv/www/site${i}>
        Options Indexes FollowSymLinks
        Order allow,deny
        Allow from all
        Deny from 10.${i % 256}.0.0/16
    </Directory>
</VirtualHost>
`,
  ).join('');
}

/** Puts a text into the page by its link. */
async function withText(page, text) {
  await page.evaluate('delete document.body.dataset.state');
  await page.setInputFiles('#files-input', {
    name: 'a.conf',
    mimeType: 'text/plain',
    buffer: Buffer.from(text),
  });
  await page.waitForSelector('body[data-state=done]', { timeout: 120_000 });
}

/** From a keystroke to the answer on the page, in milliseconds. */
const KEYSTROKE = `new Promise((resolve) => {
  const started = performance.now();
  const observer = new MutationObserver(() => {
    if (document.body.dataset.state !== 'done') return;
    observer.disconnect();
    resolve(performance.now() - started);
  });
  observer.observe(document.body, { attributes: true, attributeFilter: ['data-state'] });
  const content = document.querySelector('[aria-label="Configuration for httpd 2.2"]');
  content.focus();
  document.execCommand('insertText', false, '#');
})`;

async function typing() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForSelector('body[data-ready]');
  await withText(page, virtualHosts(20));
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const times = [];
  for (let i = 0; i < 40; i++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    times.push(await page.evaluate(KEYSTROKE));
  }
  times.sort((a, b) => a - b);
  say(
    '200 lines: answer to a keystroke',
    `median ${ofNode(times[20])}, 38 of 40 within ${ofNode(times[37])}, all within ${ofNode(times[39])}`,
  );
  const large = virtualHosts(3300);
  const started = performance.now();
  await withText(page, large);
  say(`${(large.length / 1e6).toFixed(2)} MB: first answer`, ofNode(performance.now() - started));
  await page.evaluate(`window.longest = 0; new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: 'longtask' })`);
  await page.locator('[aria-label="Configuration for httpd 2.2"]').focus();
  const typed = performance.now();
  await page.keyboard.type('# ten more');
  say('the same: ten letters typed', `${Math.round(performance.now() - typed)} ms`);
  await page.waitForSelector('body[data-state=done]', { timeout: 120_000 });
  say(
    'the same: longest time without an answer to input',
    `${Math.round(await page.evaluate('window.longest'))} ms`,
  );
  await context.close();
}

async function folder() {
  const home = join(scratch, 'server');
  mkdirSync(join(home, 'etc/httpd/conf.d'), { recursive: true });
  writeFileSync(
    join(home, 'etc/httpd/httpd.conf'),
    'ServerRoot /etc/httpd\nListen 80\nNameVirtualHost *:80\nInclude conf.d/*.conf\n',
  );
  for (let i = 0; i < 500; i++) {
    writeFileSync(join(home, `etc/httpd/conf.d/${i}.conf`), virtualHosts(1).replaceAll('site0', `site${i}`));
    for (const name of ['', 'admin']) {
      const directory = join(home, `srv/www/site${i}`, name);
      mkdirSync(directory, { recursive: true });
      writeFileSync(
        join(directory, '.htaccess'),
        `Order deny,allow\nDeny from all\nAllow from 10.${i % 256}.1.0/24\n`,
      );
    }
  }
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForSelector('body[data-ready]');
  const started = performance.now();
  await page.setInputFiles('#folder-input', home);
  await page.waitForSelector('body[data-mode=files][data-state=done]', { timeout: 240_000 });
  await page.waitForSelector('#files', { state: 'attached' });
  say('1,501 files: the report', `${((performance.now() - started) / 1000).toFixed(1)} s`);
  await context.close();
}

try {
  await firstView();
  await typing();
  await folder();
} finally {
  await browser.close();
  server.close();
  rmSync(scratch, { recursive: true });
}
