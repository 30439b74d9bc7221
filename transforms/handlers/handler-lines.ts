import { type Place, placeCondition } from '../../src/config';
import type { TreeIndex } from '../../src/engine';
import { type HandlerModule, handlerModule } from '../../src/httpd/handlers';
import type { Directive } from '../../src/syntax';
import { isUnknown } from '../common/lines';

/** A line that has files handed to a program. */
export interface HandlerLine {
  readonly node: Directive;
  readonly place: Place;
  /** The handler, or the type in its place. */
  readonly handler: string;
  /** The extensions that it is for, in lower case and without dots; undefined for all files where it stands. */
  readonly extensions: readonly string[] | undefined;
  readonly module: HandlerModule;
}

const BY_EXTENSION = new Set(['addhandler', 'addtype']);

/** The lines that hand files to modules that are not httpd's, as far as 2.2 reads them, in the order of the run. */
export function handlerLines(index: TreeIndex): readonly HandlerLine[] {
  // What an Action line has a program for is not sent as it is.
  const actions = new Set<string>();
  index.visitDirectives(['Action'], ({ args }, place) => {
    if (placeCondition(place.chain).on24 !== false) actions.add((args[0]?.value ?? '').toLowerCase());
  });
  const found: HandlerLine[] = [];
  index.visitInOrder(['AddHandler', 'SetHandler', 'AddType', 'ForceType'], [], (node, place) => {
    if (node.kind !== 'directive' || placeCondition(place.chain).on22 === false) return;
    // Where a section is not closed, nothing can be put behind it.
    if (place.chain.some(({ section }) => section.close === undefined)) return;
    const [handler = '', ...names] = node.args.map(({ value }) => value);
    if (isUnknown(node.rest) || actions.has(handler.toLowerCase())) return;
    // An empty extension is passed over (modules/http/mod_mime.c: find_ct).
    const extensions = BY_EXTENSION.has(node.key)
      ? names.map(extensionOf).filter((name) => name !== '')
      : undefined;
    if (extensions?.length === 0 || (extensions === undefined && names.length > 0)) return;
    const module = handlerModule(handler, extensions);
    // A type selects a handler only by a name that no content has.
    if (module === undefined || (node.key.endsWith('type') && !/x-httpd-/i.test(handler))) return;
    found.push({ node, place, handler, extensions, module });
  });
  return found;
}

/** The extension as httpd looks it up (modules/http/mod_mime.c: add_extension_info). */
export function extensionOf(word: string): string {
  return word.replace(/^\./, '').toLowerCase();
}
