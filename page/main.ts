import { NEWEST } from '../src/httpd/release';
import { byId, goTo, inputById, make, save, selectById } from './dom';
import { chosenFiles, Drops } from './dropped';
import { Editors } from './editors';
import { replyElement } from './replies';
import type {
  Answers,
  Converted,
  GivenFile,
  GivenFiles,
  PastedText,
  Product,
  ShownFinding,
  Wishes,
} from './protocol';
import { showQuestions } from './questions';
import { type ResultEvents, showFindings, showVerdict } from './results';
import { Overtaken, Service } from './service';
import { fragmentOf, LONGEST, sharedIn } from './share';

const EXAMPLE = `<VirtualHost *:80>
    ServerName www.example.com
    DocumentRoot /srv/www
    <Directory /srv/www>
        Options Indexes FollowSymLinks
        AllowOverride None
        Order allow,deny
        Allow from all
    </Directory>
    <Directory /srv/www/private>
        Order deny,allow
        Deny from all
        Allow from 10.0.0.0/8
        AuthType Basic
        AuthName "Members"
        AuthUserFile /etc/httpd/members
        Require valid-user
        Satisfy any
    </Directory>
</VirtualHost>
`;

/** Directives that no .htaccess can have: the text is part of a server's configuration. */
const OF_A_SERVER =
  /^[ \t]*(?:<(?:VirtualHost|Directory|DirectoryMatch|Location|LocationMatch)\b|(?:Listen|LoadModule|ServerRoot|DocumentRoot|ServerName|NameVirtualHost|Include|User|Group|MaxClients|StartServers|LockFile|PidFile|Alias|ScriptAlias)[ \t])/im;

/** Milliseconds after a keystroke: a longer text is not converted for each letter. */
const waitFor = (length: number): number => (length < 65_536 ? 15 : 250);

const NOTHING_YET = 'Nothing has been converted yet.';

/** The page: what is on it, and what it does when it is used. */
class Page {
  readonly #service = new Service((text) => this.#showProgress(text));
  readonly #editors: Editors;
  #answers: Answers = {};
  readonly #leftOut = new Set<string>();
  #files: GivenFiles | undefined;
  /** The file that the text in the editor was read from; undefined for one that was pasted or typed. */
  #source: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #report = new AbortController();
  readonly #drops = new Drops({
    found: (text) => this.#showProgress(text),
    given: (files) => void this.#give(files),
    failed: (text) => {
      byId('working').hidden = true;
      this.#say(`It could not be read: ${text}`, 'Nothing has been changed.', true);
    },
  });
  #last: Converted | undefined;

  constructor() {
    const plain = byId('plain') as HTMLTextAreaElement;
    const hadFocus = document.activeElement === plain;
    const { value } = plain;
    plain.remove();
    this.#editors = new Editors(byId('editors'), value, {
      typed: (isAnother) => {
        if (isAnother) this.#forgetText();
        this.#schedule();
      },
      actionOf: (finding) => this.#actionOf(finding),
    });
    if (hadFocus) this.#editors.focus();
    this.#fillSwitches();
    this.#fitSwitches();
    this.#listen();
  }

  /** Converts what the link of the page carries, or what was typed before the page was ready. */
  async open(): Promise<void> {
    await this.#run();
    await this.#openLink();
  }

  readonly #events: ResultEvents = {
    goTo: (line) => this.#editors.goTo(line),
    setLeftOut: (key, isLeftOut) => {
      if (isLeftOut) this.#leftOut.add(key);
      else this.#leftOut.delete(key);
      void this.#run().then(() =>
        document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus(),
      );
    },
  };

  #answer(key: string, value: boolean | string | undefined): void {
    const { [key]: _, ...others } = this.#answers;
    this.#answers = value === undefined ? others : { ...others, [key]: value };
    const chosen = document.activeElement?.getAttribute('data-answer') ?? '';
    void this.#run().then(() =>
      document.querySelector<HTMLElement>(`[data-answer="${CSS.escape(chosen)}"]`)?.focus(),
    );
  }

  #actionOf(finding: ShownFinding): { name: string; act: () => void } | undefined {
    if (!finding.hasChange || finding.state === 'note') return undefined;
    const isLeft = finding.state === 'left';
    return { name: isLeft ? 'Apply' : 'Leave out', act: () => this.#events.setLeftOut(finding.key, !isLeft) };
  }

  /** Where there is room, all switches are seen. */
  #fitSwitches(): void {
    const wide = matchMedia('(min-width: 56rem)');
    const fit = (): void => {
      switches().open = wide.matches;
    };
    fit();
    wide.addEventListener('change', fit);
  }

  #fillSwitches(): void {
    const target = selectById('target');
    for (let release = NEWEST; release > 0; release--)
      target.add(
        new Option(release === NEWEST ? `2.4.${release} (newest)` : `2.4.${release}`, String(release)),
      );
  }

  get #wishes(): Wishes {
    return {
      target: Number(selectById('target').value),
      dual: inputById('dual').checked,
      modules: modulesField().value,
      exact: selectById('exact').value === 'exact',
      pinDefaults: inputById('pin').checked,
      answers: this.#answers,
      leftOut: this.#files === undefined ? [...this.#leftOut] : [],
    };
  }

  get #isHtaccess(): boolean {
    const { value } = selectById('kind');
    if (value !== 'auto') return value === 'htaccess';
    return isHtaccessName(this.#source ?? '') || !OF_A_SERVER.test(this.#editors.text);
  }

  /** What a text is taken for is said where it can be changed. */
  get #looks(): string {
    const isGuess = selectById('kind').value === 'auto';
    return isGuess
      ? `${this.#isHtaccess ? 'a .htaccess' : 'part of httpd.conf'}, it seems`
      : 'what it looks like';
  }

  get #input(): PastedText | GivenFiles {
    return this.#files ?? { kind: 'text', text: this.#editors.text, isHtaccess: this.#isHtaccess };
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), waitFor(this.#editors.text.length));
  }

  /** What was said of a text does not hold for another. */
  #forgetText(): void {
    this.#source = undefined;
    this.#answers = {};
    this.#leftOut.clear();
  }

  /** Converts what is there, and shows what came of it. */
  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    const input = this.#input;
    this.#confirm('');
    if (input.kind === 'text' && input.text.trim() === '') return this.#showNothing();
    document.body.dataset['state'] = 'working';
    try {
      const converted = await this.#service.convert(input, this.#wishes);
      this.#show(converted);
      document.body.dataset['state'] = 'done';
      document.body.dataset['milliseconds'] = String(Math.round(converted.milliseconds));
    } catch (error) {
      if (error instanceof Overtaken) return;
      document.body.dataset['state'] = 'failed';
      delete document.body.dataset['verdict'];
      this.#last = undefined;
      this.#editors.show('', []);
      byId('findings').replaceChildren();
      // An answer that cannot be used can be taken back.
      showQuestions(undefined, {}, this.#answers, (key, value) => this.#answer(key, value));
      this.#say(`It could not be converted: ${(error as Error).message}`, 'Nothing has been changed.', true);
    }
    byId('working').hidden = true;
  }

  #show(converted: Converted): void {
    this.#last = converted;
    selectById('kind').options[0]!.text = this.#looks;
    showVerdict(converted);
    showQuestions(converted.summary, converted.choices, this.#answers, (key, value) =>
      this.#answer(key, value),
    );
    byId('save-script').hidden = !converted.hasScript;
    if (converted.text === undefined) void this.#showReport(converted.report ?? '');
    else {
      this.#editors.show(converted.text, converted.findings);
      showFindings(converted, this.#events);
    }
    this.#askAgain();
  }

  /** What was answered is about the text before; a large one would keep the next keystroke waiting. */
  #askAgain(): void {
    const place = byId('reply');
    if (place.firstChild === null) return;
    if (this.#files === undefined && this.#editors.text.length < 65_536)
      void this.#ask(inputById('question').value);
    else place.replaceChildren();
  }

  #showNothing(): void {
    this.#service.cancel();
    byId('working').hidden = true;
    this.#last = undefined;
    document.body.dataset['state'] = 'empty';
    delete document.body.dataset['verdict'];
    this.#editors.show('', []);
    this.#say('Paste a configuration below.', 'The verdict stands here as you type.', false);
    for (const id of ['findings', 'notes', 'assumptions', 'reply']) byId(id).replaceChildren();
    byId('assumed').hidden = true;
  }

  #say(first: string, second: string, isTrouble: boolean): void {
    byId('lead').hidden = true;
    byId('verdict').replaceChildren(
      make('strong', isTrouble ? 'blocker' : '', first),
      make('span', 'dim', second),
    );
  }

  async #showReport(markup: string): Promise<void> {
    this.#report.abort();
    this.#report = new AbortController();
    const { signal } = this.#report;
    // The report's own HTML, whose texts are escaped where it is made; the policy lets no script in it act.
    byId('report').innerHTML = markup;
    byId('report').hidden = false;
    const showReport = await reportScript();
    if (!signal.aborted) showReport(signal);
  }

  #showProgress(text: string): void {
    byId('working').hidden = false;
    byId('progress').textContent = text;
  }

  /** Takes files: one of text is put into the editor, all others are a server. */
  async #give(given: readonly GivenFile[]): Promise<void> {
    const [first] = given;
    if (first === undefined) return;
    if (
      given.length === 1 &&
      first.file !== undefined &&
      first.file.size < 2_000_000 &&
      !/\.(?:zip|tar|tgz|gz)$/i.test(first.path)
    ) {
      const text = await editableText(first.file);
      if (text !== undefined) return this.#giveText(first.path, text);
    }
    this.#files = { kind: 'files', files: given };
    this.#forgetText();
    inputById('question').value = '';
    this.#last = undefined;
    for (const id of ['assumptions', 'notes', 'reply', 'report']) byId(id).replaceChildren();
    byId('assumed').hidden = true;
    document.body.dataset['mode'] = 'files';
    byId('back').hidden = false;
    this.#say('Reading…', given.length === 1 ? first.path : `${given.length} files`, false);
    this.#showProgress('Reading');
    await this.#run();
  }

  #giveText(path: string, text: string): void {
    this.#backToText();
    this.#editors.text = text;
    this.#forgetText();
    this.#source = path;
  }

  #backToText(): void {
    if (this.#files === undefined) return;
    this.#files = undefined;
    this.#forgetText();
    this.#report.abort();
    byId('report').replaceChildren();
    byId('report').hidden = true;
    byId('back').hidden = true;
    byId('reply').replaceChildren();
    inputById('question').value = '';
    document.body.dataset['mode'] = 'text';
    void this.#run();
  }

  #listen(): void {
    const click = (id: string, act: () => void): void => byId(id).addEventListener('click', act);
    for (const id of ['kind', 'target', 'dual', 'pin', 'exact'])
      byId(id).addEventListener('change', () => void this.#run());
    modulesField().addEventListener('input', () => this.#schedule());
    click('example', () => {
      this.#editors.text = EXAMPLE;
      this.#editors.focus();
    });
    click('back', () => this.#backToText());
    // What stands in the way, and what is asked, is far below a large text.
    click('lead', () => {
      const toDo = document.getElementById('to-do') ?? byId('said');
      goTo(byId('lead').dataset['to'] === 'assumed' ? byId('assumed') : toDo);
    });
    click('cancel', () => {
      this.#drops.cancel();
      this.#service.cancel();
      byId('working').hidden = true;
      this.#last = undefined;
      document.body.dataset['state'] = 'cancelled';
      delete document.body.dataset['verdict'];
      this.#say('Cancelled.', 'Nothing has been converted. A switch begins anew.', false);
    });
    for (const kind of ['files', 'folder']) {
      const input = inputById(`${kind}-input`);
      click(kind === 'files' ? 'open-files' : 'open-folder', () => input.click());
      input.addEventListener('change', () => {
        const given = chosenFiles(input.files ?? new DataTransfer().files);
        input.value = '';
        void this.#give(given);
      });
    }
    const products: readonly Product[] = ['text', 'zip', 'patch', 'script'];
    for (const product of products) click(`save-${product}`, () => void this.#save(product));
    click('copy', () => {
      const { text } = this.#last ?? {};
      if (text === undefined) this.#confirm(NOTHING_YET);
      else void this.#copy(text, 'Copied.');
    });
    click('share', () => void this.#share());
    byId('ask').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#ask(inputById('question').value).then(showAnswer);
    });
    addEventListener('hashchange', () => void this.#openLink());
    addEventListener('beforeprint', () => byId('printed').replaceChildren(...this.#editors.printed()));
    addEventListener('afterprint', () => byId('printed').replaceChildren());
    this.#drops.listen();
  }

  async #ask(text: string): Promise<void> {
    const place = byId('reply');
    if (text.trim() === '') return place.replaceChildren();
    if (this.#last === undefined) {
      place.replaceChildren(make('p', 'open', 'Paste a configuration first: the answer depends on it.'));
      return;
    }
    try {
      place.replaceChildren(replyElement(await this.#service.ask(text)));
    } catch (error) {
      if (!(error instanceof Overtaken))
        place.replaceChildren(make('p', 'blocker', (error as Error).message));
    }
  }

  async #save(product: Product): Promise<void> {
    if (this.#last === undefined) return this.#confirm(NOTHING_YET);
    try {
      const { name, bytes } = await this.#service.make(product);
      const ownName = (product === 'text' ? this.#source : undefined) ?? name;
      save(ownName, bytes);
      this.#confirm(`Saved as ${ownName}.`);
    } catch (error) {
      this.#confirm((error as Error).message);
    }
  }

  async #share(): Promise<void> {
    const { text } = this.#editors;
    if (text.length > LONGEST) return this.#confirm('The text is too long for a link: send the file.');
    const fragment = await fragmentOf({
      text,
      isHtaccess: this.#isHtaccess,
      wishes: this.#wishes,
    });
    history.replaceState(null, '', fragment);
    const where =
      location.protocol === 'file:'
        ? ' It leads to this file: another machine needs its copy of the page.'
        : '';
    await this.#copy(
      location.href,
      `The link is copied: it holds the text itself, and no server sees it.${where}`,
    );
  }

  async #copy(text: string, done: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.#confirm(done);
    } catch {
      this.#confirm('The browser does not let this page copy: take it from the address bar or the text.');
    }
  }

  #confirm(text: string): void {
    byId('done').textContent = text;
  }

  /** Takes over what the link of the page carries, if it carries anything. */
  async #openLink(): Promise<void> {
    const shared = await sharedIn(location.hash);
    if (shared === undefined) return;
    if (shared === 'damaged') return this.#tellOfDamage();
    this.#backToText();
    const { text, isHtaccess, wishes } = shared;
    const { target, dual, modules, exact, pinDefaults, answers, leftOut } = wishes;
    selectById('kind').value = isHtaccess ? 'htaccess' : 'conf';
    if (target >= 1 && target <= NEWEST) selectById('target').value = String(target);
    inputById('dual').checked = dual;
    modulesField().value = modules;
    (byId('modules-box') as HTMLDetailsElement).open = modules !== '';
    inputById('pin').checked = pinDefaults;
    selectById('exact').value = exact ? 'exact' : 'strict';
    if (dual || pinDefaults || exact || modules !== '' || target !== NEWEST) switches().open = true;
    this.#editors.text = text;
    this.#say('Converting…', 'The verdict stands here as you type.', false);
    this.#forgetText();
    // Nothing asks any more what is answered: what the questions are, the text says without the answers.
    if (Object.keys(answers).length > 0) await this.#run();
    if (this.#editors.text !== text) return;
    this.#answers = { ...answers };
    for (const key of leftOut) this.#leftOut.add(key);
    await this.#run();
  }

  #tellOfDamage(): void {
    const text = 'The link is damaged or cut off.';
    if (this.#editors.text === '') this.#say(text, 'Ask for it once more, or paste the text below.', true);
    else this.#confirm(text);
  }
}

const modulesField = (): HTMLTextAreaElement => byId('modules') as HTMLTextAreaElement;

/** An answer below the window would look like none. */
function showAnswer(): void {
  const { top, bottom } = byId('reply').getBoundingClientRect();
  if (bottom > innerHeight && top > innerHeight / 3)
    byId('ask').parentElement?.scrollIntoView({ block: 'start' });
}

const switches = (): HTMLDetailsElement => byId('how') as HTMLDetailsElement;

const isHtaccessName = (path: string): boolean => /(?:^|[./])ht\.?access$/i.test(path);

/** The text of a file that the editor gives back byte for byte; undefined for any other file, and for one that cannot be read. */
async function editableText(file: Blob): Promise<string | undefined> {
  try {
    const bytes = await file.arrayBuffer();
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return /^\ufeff|[\r\0]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The script that fills the report's list of files, once it is needed. */
function reportScript(): Promise<(signal: AbortSignal) => void> {
  const loaded = globalThis as { showReport?: (signal: AbortSignal) => void };
  return new Promise((resolve, reject) => {
    if (loaded.showReport !== undefined) return resolve(loaded.showReport);
    const script = make('script', '');
    script.src = 'report.js';
    script.addEventListener('load', () => resolve(loaded.showReport!));
    script.addEventListener('error', () => reject(new Error('report.js is not there')));
    document.head.append(script);
  });
}

void new Page().open();
document.body.dataset['ready'] = 'true';
if (location.protocol.startsWith('http') && 'serviceWorker' in navigator)
  void navigator.serviceWorker.register('service-worker.js').catch(() => undefined);
