import { type ConfigFile, isConditional, isModuleLacked, type Place, placeCondition } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import { PHP_MODULES, isHandlerOfPhp, isNameOfModule } from '../../src/httpd/handlers';
import { findThirdParty, type ThirdPartyModule, thirdPartyOwner } from '../../src/httpd/third-party';
import { findsPattern } from '../../src/regex';
import type { Node, Section } from '../../src/syntax';
import { containersOf, isNotInUse, isOfServer, isReadWithHttpdModules, scopeOf } from '../common/lines';
import { isServerFor24 } from '../common/written-for';
import { type HandlerLine, extensionOf, handlerLines } from './handler-lines';
import { guardPlaceOf, isServerScope } from './guards';
import { type PhpChoice, modulePhp } from './php-answer';
import { addTo } from '../../src/maps';

/** Handler lines of one language that stand in the same scope of a file: they are guarded or rewritten together. */
export interface HandlerGroup {
  readonly language: string;
  readonly file: ConfigFile;
  readonly lines: readonly HandlerLine[];
  /** Extensions that the lines are for, as in {@link HandlerLine}. */
  readonly extensions: readonly string[] | undefined;
}

/** The groups of all lines that the server surely or possibly had a module for. */
export function handlerGroups({
  index,
  tree,
}: Pick<TransformContext, 'index' | 'tree'>): readonly HandlerGroup[] {
  const ids = new Map<object, number>();
  const idOf = (object: object): number => {
    if (!ids.has(object)) ids.set(object, ids.size);
    return ids.get(object)!;
  };
  const groups = new Map<string, HandlerLine[]>();
  const seen = new Set<string>();
  for (const line of handlerLines(index)) {
    const { node, place, extensions, module } = line;
    if (isNotInUse(place, tree)) continue;
    if (
      place.chain.some(
        ({ section }) => asksFor(section) !== undefined && isModuleLacked(tree, asksFor(section)!),
      )
    )
      continue;
    const { anchor } = guardPlaceOf(line);
    const around = place.chain.filter(
      ({ section }) => section.start < anchor.start && section.key === 'ifdefine',
    );
    const parts = [idOf(place.file), idOf(scopeOf(place)), ...around.map(({ section }) => idOf(section))];
    // A line for all files is rewritten where it stands.
    const key = `${module.language} ${parts.join(' ')}${extensions === undefined ? ` ${idOf(node)}` : ''}`;
    // A file that is included twice in one scope has each line twice.
    if (seen.has(`${key} ${idOf(node)}`)) continue;
    seen.add(`${key} ${idOf(node)}`);
    addTo(groups, key, line);
  }
  return [...groups.values()].map((lines) => ({
    language: lines[0]!.module.language,
    file: lines[0]!.place.file,
    lines,
    extensions: lines[0]!.extensions && [...new Set(lines.flatMap(({ extensions = [] }) => extensions))],
  }));
}

/** The module that an `<IfModule>` asks for, by identifier, if it is not httpd's; undefined for others and for `!`. */
export function asksFor({ key, args }: Section): string | undefined {
  const word = args[0]?.value ?? '';
  if (key !== 'ifmodule' || word.startsWith('!')) return undefined;
  return /^mod_\w+\.c$/.test(word) ? `${word.slice(4, -2)}_module` : word;
}

/** What the new server serves by itself. */
export class ServedHandlers {
  readonly #context: TransformContext;
  readonly #isFor24: boolean;
  readonly #loaded: ReadonlySet<string>;
  readonly #proxied: ReadonlyMap<object, readonly IsCovered[]>;

  constructor(context: TransformContext) {
    this.#context = context;
    this.#isFor24 = isServerFor24(context);
    this.#loaded = new Set(
      context.index
        .directives(['LoadModule'])
        .filter(
          ({ place: { chain, root } }) => root.role !== 'unreached' && placeCondition(chain).on24 !== false,
        )
        .map(({ node }) => node.args[0]?.value ?? ''),
    );
    this.#proxied = proxiedNames(context);
  }

  /** Whether a module that can serve these lines is there, and knows their handlers. */
  serves({ lines, file }: HandlerGroup): boolean {
    return lines.every(({ handler, module: { modules } }) =>
      modules.some(
        (identifier) =>
          (this.#isThere(identifier, handler) || this.#isAnswered(identifier, file)) &&
          registers(identifier, handler),
      ),
    );
  }

  /** Whether 2.2's module with these handlers is loaded, or has directives: another rule tells that it is missing. */
  isToldAsMissing({ lines }: HandlerGroup): boolean {
    return lines.every(({ module: { modules } }) =>
      modules.some((identifier) => {
        const module = moduleOf(identifier);
        return module !== undefined && (this.#loaded.has(identifier) || this.#hasDirectives(module));
      }),
    );
  }

  /**
   * Whether 2.4 does not start without a module that registers these handlers, so that no source is sent: the same server has a
   * directive of that module outside of any condition, in a file that no template fills in and that no script takes away. Never
   * for PHP: its settings go as soon as it runs in another way.
   */
  isNeededToStart({ language, lines }: HandlerGroup): boolean {
    if (language === 'PHP') return false;
    return lines.every(
      ({ handler, place: { root }, module: { modules } }) =>
        isNameOfModule(handler) &&
        modules.some((identifier) => {
          const module = moduleOf(identifier);
          return (
            module !== undefined &&
            this.#hasDirectives(
              module,
              (place) => this.#isOfServer(root, place) && isAlwaysRead(place, this.#context.index),
            )
          );
        }),
    );
  }

  /** Whether the server that reads the file of some lines surely reads what stands at a place too. */
  #isOfServer(root: ConfigFile, place: Place): boolean {
    if (root.role !== 'htaccess') return place.root === root;
    const { roots } = this.#context.tree;
    return roots.length === 1 && place.root === roots[0];
  }

  #hasDirectives(
    module: ThirdPartyModule,
    isRead: (place: Place) => boolean = isReadWithHttpdModules,
  ): boolean {
    const { index } = this.#context;
    const names = [...index.names].filter((name) => thirdPartyOwner(name) === module);
    return index.someDirective(names, (_, place) => !isNotInUse(place, index) && isRead(place));
  }

  /** A person has said that 2.4 has the module. That of PHP is a choice, which has rules of its own. */
  #isAnswered(identifier: string, file: ConfigFile): boolean {
    const module = moduleOf(identifier);
    if (module === undefined) return false;
    const answer = this.#context.chosen(module.key, file);
    return answer?.value === true && answer.choice === undefined;
  }

  /** The PHP module that is there while the lines name handlers that it does not register. */
  phpModule(): PhpChoice | undefined {
    const newer = ['php_module', 'php7_module'] as const;
    const found = newer.find((identifier) => this.#isThere(identifier));
    return found && modulePhp(found);
  }

  /** Whether lines for 2.4 pass all these files on to another server. */
  passesOn({ lines, extensions }: HandlerGroup): boolean {
    if (extensions === undefined || this.#proxied.size === 0) return false;
    const covers = scopesAround(lines[0]!.place).flatMap((scope) => this.#proxied.get(scope) ?? []);
    return covers.length > 0 && extensions.every((name) => covers.some((isCovered) => isCovered(name)));
  }

  /**
   * A module of PHP 5 was built for 2.2 where a 2.2 runs; those of later releases are for 2.4. Packages for 2.4 use no
   * php5-script, so that such a line comes from a 2.2.
   */
  #isThere(identifier: string, handler?: string): boolean {
    const { targetModules } = this.#context;
    if (targetModules !== undefined) return targetModules.has(identifier);
    if (handler === 'php5-script') return false;
    return this.#loaded.has(identifier) && (this.#isFor24 || /^php7?_module$/.test(identifier));
  }
}

/** Whether 2.4 surely reads what stands at a place when it starts. */
function isAlwaysRead(place: Place, index: TransformContext['index']): boolean {
  const { chain, file } = place;
  return (
    isOfServer(place, index) &&
    chain.every(({ section, file: holder }) => !isConditional(section) && !isFileOfModule(holder)) &&
    !isFileOfModule(file) &&
    !isTemplate(file.document.body)
  );
}

/** Debian's script disables a module together with its file. */
export function isFileOfModule({ path }: ConfigFile): boolean {
  return /\/mods-(?:available|enabled)\/[^/]+\.conf$/.test(path);
}

function isTemplate(body: readonly Node[]): boolean {
  return body.some((node) => node.kind === 'stray' || (node.kind === 'section' && isTemplate(node.body)));
}

/** Whether all lines stand in blocks for PHP's module of 2.2: their author thought of servers that run PHP in another way. */
export function isForModuleOf22({ lines }: HandlerGroup): boolean {
  return lines.every(({ place }) => isInPhpOf22(place));
}

/** Whether a place is in a block for a module of PHP that was built for 2.2. */
export function isInPhpOf22({ chain }: Pick<Place, 'chain'>): boolean {
  return chain.some(({ section }) =>
    isPhpOf22(section.key === 'ifmodule' ? (section.args[0]?.value ?? '') : ''),
  );
}

/** Whether `<IfModule>` with this word asks for a module of PHP that was built for 2.2. */
export function isPhpOf22(word: string): boolean {
  return /^(?:mod_php[45]\.c|php[45]_module|sapi_apache2\.c)$/.test(word);
}

/** A module that is not httpd's, by its identifier. */
export function moduleOf(identifier: string): ThirdPartyModule | undefined {
  return findThirdParty(identifier.replace(/_module$/, ''));
}

function registers(identifier: string, handler: string): boolean {
  const php = PHP_MODULES.find((name) => name === identifier);
  return php === undefined || isHandlerOfPhp(php, handler);
}

function scopesAround(place: Place): readonly object[] {
  return [
    scopeOf(place),
    place.root,
    ...place.chain.map(({ section }) => section),
    ...(place.root.role === 'unreached' ? [] : [SERVER]),
  ];
}

/** Stands for the main server, whose lines may stand in several files. */
const SERVER = {};

type IsCovered = (extension: string) => boolean;

/** More lines than these that pass files on from one scope are not looked at. */
const MAX_PROXIED = 16;

function proxiedNames({ index }: TransformContext): ReadonlyMap<object, readonly IsCovered[]> {
  const found = new Map<object, IsCovered[]>();
  const add = (place: Place, covers: IsCovered): void => {
    for (const scope of [scopeOf(place), ...(isServerScope(place) ? [SERVER] : [])]) {
      const list = found.get(scope);
      if (list === undefined) found.set(scope, [covers]);
      else if (list.length < MAX_PROXIED) list.push(covers);
    }
  };
  index.visitDirectives(['SetHandler', 'AddHandler'], ({ key, args }, place) => {
    if (!/^proxy:/i.test(args[0]?.value ?? '') || placeCondition(place.chain).on24 === false) return;
    if (key === 'addhandler') {
      const names = new Set(args.slice(1).map(({ value }) => extensionOf(value)));
      add(place, (name) => names.has(name));
      return;
    }
    const frame = containersOf(place).at(-1);
    if (frame === undefined || frame.section.key !== 'filesmatch') return;
    const pattern = frame.section.args[0]?.value ?? '';
    const outer = { ...place, chain: place.chain.slice(0, place.chain.indexOf(frame)) };
    add(outer, (name) => findsPattern(pattern, `x.${name}`) === true);
  });
  return found;
}

/** How many lines and names a message lists. */
const MAX_LISTED = 8;

/** The lines of a group, as a message names them. */
export function describe({ lines }: HandlerGroup): string {
  const texts = [...new Set(lines.map(({ node }) => node.text.replaceAll(/[ \t]+/g, ' ')))];
  return listed(texts);
}

/** The first of some words, and how many more there are. */
export function listed(words: readonly string[]): string {
  const shown = words.slice(0, MAX_LISTED).join(', ');
  return words.length > MAX_LISTED ? `${shown} and ${words.length - MAX_LISTED} more` : shown;
}

/** The files that the lines of a group are for, as a message names them. */
export function namesOf({ extensions }: HandlerGroup): string {
  return extensions === undefined
    ? 'all files there'
    : `files with ${listed(extensions.map((name) => `.${name}`))} anywhere in their names`;
}
