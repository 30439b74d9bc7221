import type { ConfigTree, FileSource } from '../../config/types';
import { TreeIndex } from '../../engine';
import type { Transform } from '../../engine/types';
import { findDirective } from '../../httpd/directives';
import { reasonGone } from '../../httpd/gone';
import { MESSAGES } from '../../httpd/messages';
import { oneLine } from '../../report';
import type { Io, Services } from '../io';
import { DEFAULTS, freezeOptions, type WhyRequest } from '../options';
import { OK, OPEN } from '../output';
import { loadPaths } from '../input';

/** As httpd names a place: `Syntax error on line 3 of /a/b.conf:`, `in line 3 of /a/b.conf.`, or at the end `/a/b.conf:3`. */
const PLACE = /\b[oi]n line (?<line>\d+) of (?<file>.+?)(?::(?=\s|$)|\.?$)/g;
const PLACE_AT_END = /[ ](?<file>\/.+):(?<line>\d+)$/;

/** Lines of httpd and its control program that carry no information. */
const ASIDE =
  /^(?:Syntax OK|AH00014: Configuration check failed|Action '.*' failed\.?|The Apache error log may have more information\.?)$/;

/** Characters of a line; httpd writes none that is longer (httpd.h: MAX_STRING_LEN). */
const LONGEST = 8192;

/** How many lines of the configuration are named at most. */
const MAX_PLACES = 5;

/**
 * Explains what 2.4 complains about: the rule, where in the configuration, and what to do.
 * @returns 0 where every line that says something was explained, else 1
 * @throws SourceError for a path that cannot be read
 */
export function why({ message, paths }: WhyRequest, io: Io, services: Services): number {
  const text = message === '-' ? io.stdin() : message;
  const tree = paths.length === 0 ? undefined : treeOf(paths, services.source, io);
  const index = tree && new TreeIndex(tree);
  const lines = text
    .split('\n')
    .map((line) => line.slice(0, LONGEST))
    .filter((line) => line.trim() !== '' && !ASIDE.test(line.trim()));
  let place: string | undefined;
  // An error log says the same of many requests.
  const answers = new Map<string, { readonly line: string; repeats: number }>();
  let unknown = 0;
  for (const line of lines) {
    // Through Includes, httpd names the file that includes first.
    const at = ([...line.matchAll(PLACE)].at(-1) ?? PLACE_AT_END.exec(line))?.groups;
    if (at !== undefined) place = `${nameOf(at['file']!, tree)}:${at['line']}`;
    const answer = explain(line, services.transforms);
    if (answer !== undefined) {
      const explanation = answerText(answer, place === undefined ? placesOf(answer, index, tree) : [place]);
      const before = answers.get(explanation);
      if (before === undefined) answers.set(explanation, { line, repeats: 0 });
      else before.repeats++;
      place = undefined;
    } else if (at === undefined) unknown++;
  }
  for (const [explanation, { line, repeats }] of answers) {
    const moreText = repeats === 0 ? '' : ` (and ${repeats} more like it)`;
    io.stdout.write(`${oneLine(line.trim())}${moreText}\n${explanation}`);
  }
  if (answers.size === 0)
    io.stderr.write('httpd-codemod: no message here that an upgrade from 2.2 is known to bring about\n');
  return answers.size > 0 && (unknown === 0 || message === '-') ? OK : OPEN;
}

interface MessageExplanation {
  readonly rule: Pick<Transform, 'id' | 'title'> | undefined;
  readonly remedy: string;
  readonly directive: string | undefined;
  /** The file of the configuration that the message blames. */
  readonly file: string | undefined;
}

/** @returns undefined for a line that matches no known message */
export function explain(line: string, transforms: readonly Transform[]): MessageExplanation | undefined {
  for (const { pattern, rule, owned, remedy } of MESSAGES) {
    const match = pattern.exec(line);
    if (match === null) continue;
    const directive = match.groups?.['directive'];
    const invalid = remedy === '' && directive !== undefined;
    const ruleOfDirective = owned && directive !== undefined ? ruleOf(directive, transforms) : undefined;
    const id =
      ruleOfDirective ?? rule ?? (directive === undefined ? undefined : ownerOf(directive, transforms));
    return {
      rule: transforms.find((transform) => transform.id === id),
      remedy: invalid ? remedyOf(directive) : remedy,
      directive,
      file: match.groups?.['file'],
    };
  }
  return undefined;
}

/** The rule that looks after a directive. */
function ruleOf(directive: string, transforms: readonly Transform[]): string | undefined {
  const key = directive.toLowerCase();
  return transforms.find(({ directives }) => directives.some((name) => name.toLowerCase() === key))?.id;
}

/** The rule that looks after a directive, as far as 2.4 lacks it; else the one that loads modules. */
function ownerOf(directive: string, transforms: readonly Transform[]): string {
  const known = findDirective(directive);
  if (known === undefined) return 'third-party-module';
  if (known.owners24.length > 0) return 'load-module';
  return ruleOf(directive, transforms) ?? 'unknown-directive';
}

function remedyOf(directive: string): string {
  const known = findDirective(directive);
  if (known === undefined)
    return `no module of httpd has ${directive}: it is misspelled, or of a module that comes from elsewhere and is not loaded`;
  const { name, owners24 } = known;
  // An MPM is always there.
  const modules = owners24.filter((owner) => !owner.startsWith('mpm_'));
  if (owners24.length > 0)
    return `load mod_${(modules.length > 0 ? modules : owners24).join(' or mod_')}: ${name} is its directive in 2.4`;
  const reason = reasonGone(name);
  return `2.4 no longer has ${name}${reason === undefined ? ': httpd-codemod says what takes its place' : `: ${reason}`}`;
}

function treeOf(paths: readonly string[], source: FileSource, io: Io): ConfigTree {
  const options = freezeOptions(paths, DEFAULTS, {});
  return loadPaths(source, options, io, () => undefined).tree;
}

/** A file of the tree by the name that the server knows it by: it may lie elsewhere here. */
function nameOf(path: string, tree: ConfigTree | undefined): string {
  const files = tree?.files ?? [];
  const parts = path.split('/');
  for (let i = 0; i < parts.length; i++) {
    const tail = `/${parts
      .slice(i)
      .filter((part) => part !== '')
      .join('/')}`;
    const fits = files.filter((file) => file.path.endsWith(tail));
    if (fits.length === 1) return fits[0]!.name;
  }
  return path;
}

/** The lines of the configuration that the message is about, if paths were given. */
function placesOf(
  { directive, file }: MessageExplanation,
  index: TreeIndex | undefined,
  tree: ConfigTree | undefined,
): readonly string[] {
  const name = file === undefined ? undefined : nameOf(file, tree);
  const found =
    directive === undefined || index === undefined
      ? []
      : [
          ...index.directives([directive]).map(({ node, place }) => ({ at: node.from, file: place.file })),
          ...index.sections([directive]).map(({ node, place }) => ({ at: node.open.from, file: place.file })),
        ].filter((place) => name === undefined || place.file.name === name);
  if (found.length === 0) return name === undefined ? [] : [name];
  return found.map((place) => `${place.file.name}:${place.file.document.positionAt(place.at).line}`);
}

function answerText({ rule, remedy }: MessageExplanation, places: readonly string[]): string {
  const moreText = places.length > MAX_PLACES ? ` and ${places.length - MAX_PLACES} more` : '';
  const where = places.length === 0 ? [] : [`  where:  ${places.slice(0, MAX_PLACES).join(', ')}${moreText}`];
  const ruleLine = rule === undefined ? [] : [`  rule:   ${rule.id}: ${rule.title}`];
  return [...where, ...ruleLine, `  remedy: ${remedy}`].map((line) => `${oneLine(line)}\n`).join('');
}
