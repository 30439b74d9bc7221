import type { Place } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { type TransformContext, type TreeIndex, indexOf } from '../../src/engine';
import { isKnownIn } from '../../src/httpd/lifespan';
import type { Directive } from '../../src/syntax';
import { allowsOverride, type OverrideClass } from '../common/allow-override';
import {
  isHandlerOfDirectory,
  looksForTwoSlashes,
  PATTERN_DIRECTIVES,
  setsHandler,
} from './configuration-use';

/** Lines of a `.htaccess` to which a new default of the server makes a difference. */
interface LinesConcerned {
  readonly names: readonly string[];
  readonly isConcerned: (line: Directive, place: Place, index: TreeIndex) => boolean;
  readonly message: string;
  /** The lines that keep 2.2's behaviour there, and the class of AllowOverride that they need; undefined where none may. */
  readonly pin?: { readonly lines: readonly string[]; readonly overrideClass: OverrideClass };
}

/** By the name of the directive that has the new default. */
const LINES: Readonly<Record<string, LinesConcerned>> = {
  __proto__: null!,
  MergeSlashes: {
    names: [...PATTERN_DIRECTIVES, 'RewriteCond'],
    isConcerned: looksForTwoSlashes,
    message:
      'since 2.4.39 several slashes in a URL count as one, so that this no longer finds two: MergeSlashes Off in the server configuration keeps what 2.2 did',
  },
  DirectoryCheckHandler: {
    names: ['RewriteRule', 'SetHandler'],
    isConcerned: (line, place, index) =>
      line.key === 'sethandler' ? isHandlerOfDirectory(index, line, place) : setsHandler(line, place),
    message:
      'for the URL of a directory, 2.2 obeys this line, and 2.4 takes the index file first: DirectoryCheckHandler On keeps that, where AllowOverride has Indexes',
    pin: {
      lines: ['<IfModule mod_dir.c>', '    DirectoryCheckHandler On', '</IfModule>'],
      overrideClass: 'indexes',
    },
  },
};

/**
 * Tells, at the first such line of each `.htaccess`, what the new default of a directive does to it. Whoever may write one does
 * not choose the defaults of the server: the line that keeps what 2.2 did goes into the file itself, where one may stand there.
 */
export function reportInAccessFiles(context: TransformContext, directive: string): void {
  const concerned = LINES[directive];
  // Of the server's own files alone there is nothing to tell.
  if (concerned === undefined || context.index !== indexOf(context.tree)) return;
  const told = new Set<object>();
  context.directives([directive], (_, { root }) => told.add(root));
  context.directives(concerned.names, (line, place) => {
    const { root, file } = place;
    if (root.role !== 'htaccess' || told.has(root) || !concerned.isConcerned(line, place, context.index))
      return;
    told.add(root);
    // Where AllowOverride lets no such line be read, it says nothing.
    if (allowsOverride(context, root, 'fileinfo') === false) return;
    const { message, pin } = concerned;
    const isPinned =
      pin !== undefined &&
      place.chain.length === 0 &&
      isKnownIn('directive', directive, context.target) &&
      allowsOverride(context, root, pin.overrideClass) === true;
    context.report({
      file,
      at: line.from,
      level: 'warning',
      safety: isPinned ? 'safe' : 'manual',
      message: isPinned ? `${message}: it is added` : message,
      edits: isPinned ? [insertAfter(file.document, line, pin.lines)] : [],
    });
  });
}
