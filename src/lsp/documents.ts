import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Document, parse } from '../syntax';
import { bytesOf, pathOfUri, uriOfPath } from './uris';

/** A text that the editor has open. */
export interface OpenDocument {
  readonly uri: string;
  readonly path: string;
  text: TextDocument;
  /** The tree of the text as it is now; undefined until somebody asks. */
  parsed: Document | undefined;
}

/** The texts that the editor has open, and those of them that the analyst has not been told yet. */
export class OpenDocuments {
  readonly #byPath = new Map<string, OpenDocument>();
  readonly #untold = new Map<string, OpenDocument | undefined>();

  open(uri: string, version: number, content: string): OpenDocument {
    const path = pathOfUri(uri);
    const text = TextDocument.create(uri, 'apacheconf', version, content);
    const document = { uri, path, text, parsed: undefined };
    this.#byPath.set(path, document);
    this.#untold.set(path, document);
    return document;
  }

  change(uri: string, version: number, changes: TextDocumentContentChangeEvent[]): OpenDocument | undefined {
    const document = this.at(uri);
    if (document === undefined) return undefined;
    document.text = TextDocument.update(document.text, changes, version);
    document.parsed = undefined;
    this.#untold.set(document.path, document);
    return document;
  }

  close(uri: string): string {
    const path = pathOfUri(uri);
    this.#byPath.delete(path);
    this.#untold.set(path, undefined);
    return path;
  }

  at(uri: string): OpenDocument | undefined {
    return this.#byPath.get(pathOfUri(uri));
  }

  paths(): readonly string[] {
    return [...this.#byPath.keys()];
  }

  /** The URI of a path as the editor writes it, and the version of its text; null for one that it has not open. */
  named(path: string): { readonly uri: string; readonly version: number | null } {
    const document = this.#byPath.get(path);
    return document === undefined
      ? { uri: uriOfPath(path), version: null }
      : { uri: document.uri, version: document.text.version };
  }

  /** Path → the version of each open text as it is now. */
  versions(): ReadonlyMap<string, number> {
    return new Map([...this.#byPath].map(([path, { text }]) => [path, text.version]));
  }

  /** What the analyst is to be told; from then on it counts as told. */
  takeUntold(): ReadonlyMap<string, string | undefined> {
    const texts = new Map([...this.#untold].map(([path, document]) => [path, document && bytesIn(document)]));
    this.#untold.clear();
    return texts;
  }
}

export const bytesIn = ({ text }: OpenDocument): string => bytesOf(text.getText());

/** The tree of a text as it is now. */
export function parsedOf(document: OpenDocument): Document {
  return (document.parsed ??= parse(bytesIn(document)));
}

/** Whether a file is read for a directory that is served. Servers may call theirs otherwise, as `.htaccess-old`. */
export function isHtaccess(path: string): boolean {
  return path.slice(path.lastIndexOf('/') + 1).startsWith('.ht');
}
