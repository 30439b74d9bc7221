import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { source as axeSource } from 'axe-core';
import { requireProgram } from '../httpd/install';

/** No start page, no service of its own, no request that is not ours. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A Chromium without a window, with a profile that nobody else has. On Debian, root gets the package if it is missing. */
export async function startChromium(): Promise<Browser> {
  const executablePath = requireProgram('chromium', 'chromium', 'to try the page that converts');
  return chromium.launch({ executablePath, args: QUIET, headless: true, timeout: 120_000 });
}

/** A tab, with all that it complains about: a script's errors, and what the policy of a page refuses. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
}

/** Opens a page, and waits until it can be used. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  await page.waitForSelector('body[data-ready]');
  return { page, context, complaints };
}

/** Milliseconds: a machine that does much else takes its time. Nothing waits that long where all is well. */
export const PATIENCE = 30_000;

/** Waits until the page has done what it was asked, whatever came of it; what came of it. */
export async function settled(page: Page): Promise<string> {
  const done = await page.waitForSelector(
    'body:is([data-state=done], [data-state=failed], [data-state=empty])',
  );
  return (await done.getAttribute('data-state')) ?? '';
}

/** Has the page convert a text; its verdict. */
export async function convertText(page: Page, text: string): Promise<string> {
  await page.evaluate(`(${PASTE})(${JSON.stringify(text)})`);
  await page.waitForSelector('body[data-state=done]');
  return page.innerText('#verdict');
}

/** Pastes as a person does: into the editor, in the place of what is there. The page works from then on. */
const PASTE = `(text) => {
  delete document.body.dataset.state;
  const content = document.querySelector('[aria-label="Configuration for httpd 2.2"]');
  content.focus();
  getSelection().selectAllChildren(content);
  const data = new DataTransfer();
  data.setData('text/plain', text);
  content.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}`;

/** Runs with a directory that is gone afterwards. */
export async function withScratch<T>(act: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'page-'));
  try {
    return await act(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What axe-core has to say against a page: the rule and the elements, a line each. */
export async function faults(page: Page): Promise<string[]> {
  // Not as a script of the page: its policy has no place for others.
  const found: { readonly id: string; readonly nodes: readonly { readonly target: readonly unknown[] }[] }[] =
    await page.evaluate(`${axeSource}; axe.run({ preload: false }).then(({ violations }) => violations)`);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
