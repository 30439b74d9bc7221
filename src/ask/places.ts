import type { ConfigFile, ConfigTree, Place } from '../config/types';
import type { TreeIndex } from '../engine';
import type { Section } from '../syntax';
import type { MessageExplanation } from './explain-message';

/** The configuration that a message is looked up in. */
export interface GivenConfig {
  readonly tree: ConfigTree;
  readonly index: TreeIndex;
}

/** A line of the configuration. */
export interface MessagePlace {
  /** The name to be shown: that of the run, or else as the message has it. */
  readonly name: string;
  /** From 1; undefined where only the file is known. */
  readonly line: number | undefined;
  /** The file, where it was among those given. */
  readonly file: ConfigFile | undefined;
}

/** A place as httpd names it: `Syntax error on line 3 of /a/b.conf:`, `in line 3 of /a/b.conf.`, or at the end `/a/b.conf:3`. */
const PLACE = /\b[oi]n line (?<line>\d+) of (?:file )?(?<file>.+?)(?::(?= |$)|\.?$)/g;
const PLACE_AT_END = /[ ](?<file>\/(?!\/)[^"' ]+(?<!\.(?:erb|java|js|p[hly]p?|pp|rb|ts)))(?::(?<line>\d+))$/;

/** The place that a line of httpd names. Through Includes, it names the file that includes first. */
export function placeIn(line: string, given: GivenConfig | undefined): MessagePlace | undefined {
  const at = ([...line.matchAll(PLACE)].at(-1) ?? PLACE_AT_END.exec(line))?.groups;
  if (at === undefined) return undefined;
  return placeOf(at['file']!, Number(at['line']), given);
}

/** The lines of the configuration that a message is about, if a configuration was given. */
export function placesOf(
  { directive, file, quoted, host, loads, optionsOf }: MessageExplanation,
  given: GivenConfig | undefined,
): readonly MessagePlace[] {
  if (host !== undefined && given !== undefined) return placesOfHost(host, given);
  if (loads !== undefined && given !== undefined) return placesOfModule(loads, given);
  if (optionsOf !== undefined && given !== undefined) return placesOfOptions(optionsOf, given);
  const named = file === undefined ? undefined : placeOf(file, undefined, given);
  if (given === undefined || directive === undefined) return named === undefined ? [] : [named];
  const { index } = given;
  const found = [
    ...index.directives([directive]).map(({ node, place }) => ({ at: node.from, text: node.rest, place })),
    ...index.sections([directive]).map(({ node, place }) => ({ at: node.open.from, text: node.open.rest, place })), // prettier-ignore
  ].filter(({ place }) => named === undefined || place.file.name === named.name);
  // A pattern that the message quotes tells one line of the kind from the others; a log doubles its backslashes.
  const quotes =
    quoted === undefined || quoted === directive ? [''] : [quoted, quoted.replace(/\\\\/g, '\\')];
  const lines = found.filter(({ text }) => quotes.some((quote) => text.includes(quote)));
  if (lines.length === 0) return named === undefined ? [] : [named];
  return lines.map(({ at, place }) => placeAt(place.file, at));
}

function placeAt(file: ConfigFile, at: number): MessagePlace {
  return { name: file.name, line: file.document.positionAt(at).line, file };
}

/** Where the virtual hosts of a name say which certificate they have; where one does not say it, its ServerName. */
function placesOfHost(host: string, { index }: GivenConfig): readonly MessagePlace[] {
  const certificates = index.directives(['SSLCertificateFile', 'SSLCertificateKeyFile']);
  const named = index.directives(['ServerName']).filter(({ node }) => {
    const [, name] = /^(?:[a-z]+:\/\/)?([^:]*)/i.exec(node.args[0]?.value ?? '') ?? [];
    return name?.toLowerCase() === host.toLowerCase();
  });
  return named.flatMap(({ node, place }) => {
    const vhost = virtualHostOf(place);
    const lines = certificates.filter(({ place: other }) => virtualHostOf(other) === vhost);
    return (lines.length === 0 ? [{ node, place }] : lines).map((line) =>
      placeAt(line.place.file, line.node.from),
    );
  });
}

/** The LoadModule lines of a module. @param name without `mod_` */
function placesOfModule(name: string, { index }: GivenConfig): readonly MessagePlace[] {
  const files = new RegExp(`(?:mod_|lib)${name.replace(/\W/g, '\\$&')}\\.so\\b`);
  return index
    .directives(['LoadModule'])
    .filter(({ node }) => node.args[0]?.value === `${name}_module` || files.test(node.rest))
    .map(({ node, place }) => placeAt(place.file, node.from));
}

/** The last Options line that a directory meets, where it leaves its index out: its own, or that of one above. */
function placesOfOptions(directory: string, { index }: GivenConfig): readonly MessagePlace[] {
  const depths = index
    .directives(['Options'])
    .map(({ node, place }) => ({ node, place, depth: depthFor(directory, place) }));
  const deepest = Math.max(-1, ...depths.map(({ depth }) => depth));
  const last = depths.findLast(({ depth }) => depth === deepest && depth >= 0);
  if (last === undefined || /(?:^|[+ \t])(?:Indexes|All)\b/i.test(last.node.rest)) return [];
  return [placeAt(last.place.file, last.node.from)];
}

/** How near a line is to a directory that it is about, a `.htaccess` nearer than a section; -1 where it is about others. */
function depthFor(directory: string, { file, chain }: Place): number {
  const section = chain.find(({ section: { key } }) => key === 'directory')?.section;
  const named = section?.args[0]?.value;
  const isOfHtaccess = file.role === 'htaccess' && chain.every((frame) => frame.section.key.startsWith('if'));
  const paths = named !== undefined ? [named] : isOfHtaccess ? file.directories : [];
  const wanted = `${directory.replace(/\/+$/, '')}/`;
  const above = paths.map((path) => `${path.replace(/\/+$/, '')}/`).filter((path) => wanted.startsWith(path));
  return Math.max(-1, ...above.map((path) => 2 * path.length + (section === undefined ? 1 : 0)));
}

function virtualHostOf({ chain }: Place): Section | undefined {
  return chain.find(({ section }) => section.key === 'virtualhost')?.section;
}

export function placeText({ name, line }: MessagePlace): string {
  return line === undefined ? name : `${name}:${line}`;
}

/** A file of the tree by the name that the server knows it by: it may lie elsewhere here. */
function placeOf(path: string, line: number | undefined, given: GivenConfig | undefined): MessagePlace {
  const files = given?.tree.files ?? [];
  const parts = path.split('/');
  for (let i = 0; i < parts.length; i++) {
    const rest = parts.slice(i).filter((part) => part !== '');
    const tail = `/${rest.join('/')}`;
    const fits = files.filter((file) => file.path.endsWith(tail));
    if (fits.length === 1) return { name: fits[0]!.name, line, file: fits[0]! };
  }
  return { name: path, line, file: undefined };
}
