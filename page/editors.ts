import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import {
  type Action,
  type Diagnostic,
  lintGutter,
  lintKeymap,
  linter,
  setDiagnostics,
} from '@codemirror/lint';
import { getChunks, MergeView, unifiedMergeView } from '@codemirror/merge';
import { type ChangeSet, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { differences } from './differences';
import { byId } from './dom';
import { httpdLanguage } from './language';
import { printedLines } from './printed';
import type { ShownFinding } from './protocol';

/** What the editors tell the page. */
export interface EditorEvents {
  /** @param isAnother nothing of the text before is left: it was pasted over, or is gone */
  readonly typed: (isAnother: boolean) => void;
  /** The buttons at a finding, in its tooltip. */
  readonly actionOf: (
    finding: ShownFinding,
  ) => { readonly name: string; readonly act: () => void } | undefined;
}

/** The name that the policy of the page knows the style sheets of the editor by. */
const NONCE = 'editor';

const DIFF = { override: differences };

/** The old text, to be edited, and the new one beside it or, where there is no room, below. */
export class Editors {
  readonly #parent: HTMLElement;
  readonly #events: EditorEvents;
  readonly #wide = matchMedia('(min-width: 56rem)');
  #old!: EditorView;
  #new!: EditorView;
  #merge: MergeView | undefined;
  #result = '';
  /** What was pasted has not been shown from its beginning yet. */
  #isPasted = false;
  #findings: readonly ShownFinding[] = [];

  constructor(parent: HTMLElement, text: string, events: EditorEvents) {
    this.#parent = parent;
    this.#events = events;
    this.#build(text);
    this.#wide.addEventListener('change', () => {
      // A sheet of paper is no window.
      if (matchMedia('print').matches || this.#wide.matches === (this.#merge !== undefined)) return;
      const { text: typed } = this;
      this.#destroy();
      this.#build(typed);
      this.show(this.#result, this.#findings);
    });
  }

  get text(): string {
    return this.#old.state.doc.toString();
  }

  /** Puts another text into the place of the old one. */
  set text(text: string) {
    this.#old.dispatch({ changes: { from: 0, to: this.#old.state.doc.length, insert: text } });
    this.#toBegin();
  }

  #toBegin(): void {
    (this.#merge?.dom ?? this.#old.scrollDOM).scrollTop = 0;
  }

  focus(): void {
    this.#old.focus();
  }

  /** Goes to a line of the old text. */
  goTo(line: number): void {
    const { doc } = this.#old.state;
    const { from } = doc.line(Math.min(line, doc.lines));
    this.#old.dispatch({
      selection: { anchor: from },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    });
    this.#old.focus();
  }

  /** Shows what became of the old text. */
  show(result: string, findings: readonly ShownFinding[]): void {
    this.#result = result;
    this.#findings = findings;
    if (this.#merge === undefined) this.#showBelow(result);
    else replaceText(this.#new, result);
    const { doc } = this.#old.state;
    const diagnostics = findings
      .filter(({ line }) => line <= doc.lines)
      .map((finding) => this.#diagnosticOf(finding, doc.line(finding.line)))
      .sort((a, b) => a.from - b.from);
    this.#old.dispatch(setDiagnostics(this.#old.state, diagnostics));
    // A paste goes to its end, and the window with it: what became of it begins above, and all that can be done with it is below.
    if (this.#isPasted) {
      this.#toBegin();
      byId('verdict').scrollIntoView({ block: 'start' });
    }
    this.#isPasted = false;
  }

  /** Both texts as they are to be printed. */
  printed(): HTMLElement[] {
    const { chunks = [] } = getChunks(this.#new.state) ?? {};
    return printedLines(this.#old.state.doc, this.#new.state.doc, chunks);
  }

  #diagnosticOf(
    finding: ShownFinding,
    { from, to, text }: { from: number; to: number; text: string },
  ): Diagnostic {
    const action = this.#events.actionOf(finding);
    const actions: Action[] = action === undefined ? [] : [{ name: action.name, apply: action.act }];
    const indentation = text.length - text.trimStart().length;
    return {
      from: Math.min(from + indentation, to),
      to,
      severity: finding.isBlocker
        ? 'error'
        : ['open', 'review', 'script'].includes(finding.state)
          ? 'warning'
          : 'info',
      message: `${finding.word}: ${finding.message}`,
      actions,
      renderMessage: () => {
        const box = document.createElement('div');
        const message = document.createElement('div');
        message.textContent = `${finding.word}: ${finding.message}`;
        const reason = document.createElement('div');
        reason.className = 'reason';
        reason.textContent = finding.reason;
        const remedy = document.createElement('div');
        remedy.textContent = finding.remedy === undefined ? '' : `Do: ${finding.remedy}`;
        box.append(message, remedy, reason);
        return box;
      },
    };
  }

  #build(text: string): void {
    const old = [
      ...common('Configuration for httpd 2.2'),
      history(),
      keymap.of([...standardKeymap, ...historyKeymap, ...lintKeymap]),
      highlightActiveLine(),
      drawSelection(),
      placeholder('Paste a .htaccess, a virtual host or any other configuration of httpd 2.2 here.'),
      linter(null),
      lintGutter(),
      EditorView.updateListener.of(({ docChanged, changes, startState, transactions }) => {
        if (!docChanged) return;
        const isAnother = changes.newLength === 0 || isReplaced(changes);
        if (isAnother || startState.doc.length === 0)
          this.#isPasted = transactions.some((transaction) => transaction.isUserEvent('input.paste'));
        this.#events.typed(isAnother);
      }),
    ];
    if (this.#wide.matches) {
      this.#merge = new MergeView({
        a: { doc: text, extensions: old },
        b: { doc: this.#result, extensions: [...common('Configuration for httpd 2.4'), ...READ_ONLY] },
        parent: this.#parent,
        diffConfig: DIFF,
        gutter: true,
      });
      this.#old = this.#merge.a;
      this.#new = this.#merge.b;
      return;
    }
    this.#old = new EditorView({ doc: text, extensions: [...old, named('alone')], parent: this.#parent });
    this.#showBelow(this.#result);
  }

  /** The new text with the lines of the old one in it that are gone: one column is enough for it. */
  #showBelow(result: string): void {
    const state = EditorState.create({
      doc: result,
      extensions: [
        ...common('Configuration for httpd 2.4, with what is gone'),
        ...READ_ONLY,
        named('below'),
        unifiedMergeView({ original: this.text, mergeControls: false, diffConfig: DIFF, gutter: true }),
      ],
    });
    if (this.#parent.querySelector('.below') === null)
      this.#new = new EditorView({ state, parent: this.#parent });
    else this.#new.setState(state);
  }

  #destroy(): void {
    if (this.#merge === undefined) {
      this.#old.destroy();
      this.#new.destroy();
    } else this.#merge.destroy();
    this.#merge = undefined;
    this.#parent.replaceChildren();
  }
}

function common(label: string): Extension[] {
  return [
    lineNumbers(),
    ...httpdLanguage,
    EditorView.lineWrapping,
    EditorView.cspNonce.of(NONCE),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
  ];
}

/** A class of the editor's own element: one that is set from outside is gone with the next focus. */
const named = (name: string): Extension => EditorView.editorAttributes.of({ class: name });

/** Whether nothing of a text that was there is left. */
function isReplaced(changes: ChangeSet): boolean {
  let kept = 0;
  changes.iterGaps((_from, _to, length) => (kept += length));
  return kept === 0 && changes.length > 0;
}

const READ_ONLY: Extension[] = [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ 'aria-readonly': 'true' }),
];

/** Puts a text in the place of another; what both begin and end with stays, so that the view stays where it is. */
function replaceText(view: EditorView, text: string): void {
  const before = view.state.doc.toString();
  let from = 0;
  const least = Math.min(before.length, text.length);
  while (from < least && before[from] === text[from]) from++;
  let end = 0;
  while (end < least - from && before[before.length - 1 - end] === text[text.length - 1 - end]) end++;
  if (from === before.length && from === text.length) return;
  view.dispatch({ changes: { from, to: before.length - end, insert: text.slice(from, text.length - end) } });
}
