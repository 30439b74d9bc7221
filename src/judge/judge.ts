import type { ConfigFile, ConfigTree } from '../config/types';
import {
  type AskedPlace,
  MAX_PLACES,
  Targets,
  clientsFor,
  ofEachText,
  withTextOf,
  sample,
  sampled,
  sectionsOf,
  type JudgeTarget,
  type PlacedSection,
} from './questions';
import type { Line } from './text';
import type { JudgeClient, Letter } from './answer';
import { type ServedRequest, ServedTree, type WantedRequest, isUnread } from './served';
import { isOfAuthor } from './authors-lines';
import { DifferenceMakers } from './difference-makers';
import { EditPlaces } from './edit-places';
import type { JudgedFinding, JudgedResult, Veto } from './types';
import { AccessFiles, type Assumptions, compatSettings, linesIn, modulesNamed } from './site';

/** Questions that are asked of all places together. */
const MAX_QUESTIONS = 1200;
/** Names of `-D` that are each assumed to be given alone. */
const MAX_NAMES = 3;
/** Questions that one place is asked at most. */
const MAX_AT_PLACE = 600;
/** Bytes of a configuration of which it takes longer to read it again than to ask about it. */
const LARGE = 300_000;
/** What a question may cost at most: thousands of sections have to be gone through for each place. */
const MAX_STEPS = 150_000;
/** Places that are asked about beside the sample where a `.htaccess` makes a difference, and questions that each is asked. */
const [MAX_MORE, MAX_AT_MORE] = [3000, 12];

/**
 * Reads both versions' configuration with eyes of its own, and asks requests of either: the old text as 2.2 answers, the new one
 * as 2.4 does. It decides nothing: it can only say that a change is not to be written, for it lets somebody in, keeps somebody
 * out of whom nothing is told, or fails. Where it cannot read something, it says nothing.
 */
export function judge<F extends JudgedFinding>(
  before: ConfigTree,
  after: ConfigTree,
  findings: readonly F[],
): JudgedResult<F> {
  const places = new EditPlaces(findings);
  const trial = new Trial(before, after, findings, places);
  if (places.isEmpty) return trial;
  const unreached = before.unreached.filter((file) => places.has(file.path));
  trial.ask(before.roots, after.roots, before.isServer);
  for (const file of unreached.slice(0, MAX_PLACES)) {
    const changed = after.unreached.find(({ path }) => path === file.path);
    if (changed !== undefined) trial.ask([file], [changed], false);
  }
  return trial;
}

/** A request as the versions meet it: today's answers where a person wants them to stay. */
interface MetRequest {
  readonly before: ServedRequest | WantedRequest;
  readonly after: ServedRequest;
  readonly stays: WantedRequest | undefined;
  readonly isMerged: boolean;
}

/** Both versions, each as it reads its text. */
interface Versions {
  readonly was: ServedTree;
  readonly is: ServedTree;
  /** The old text as the 2.4 reads it that runs it today; undefined where the versions alone are compared. */
  readonly today: ServedTree | undefined;
}

class Trial<F extends JudgedFinding> implements JudgedResult<F> {
  readonly #refused: Veto<F>[] = [];
  /** The `.htaccess` files that make differences, each set of them once. */
  readonly #makers = new Set<string>();
  /** All the files in these sets. */
  readonly #madeBy = new Set<string>();
  /** More places would have to be asked about than are. */
  #isTooMuch = false;
  asked = 0;
  answered = 0;
  readonly #before: ConfigTree;
  readonly #after: ConfigTree;
  readonly #filesBefore: AccessFiles;
  readonly #filesAfter: AccessFiles;
  readonly #unlike: ReadonlySet<string>;
  /** Whether 2.4 is asked with mod_access_compat, without, or both. */
  readonly #compat: readonly boolean[];
  readonly #findings: readonly F[];
  readonly #places: EditPlaces<F>;
  readonly #vetoed = new Set<F>();
  /**
   * Lines that no 2.2 takes stand in it, so that it runs on a 2.4 with mod_access_compat today, if anywhere: what that answers is
   * not known here, and who is kept out is no matter of 2.2's. An opening is one all the same.
   */
  readonly #isOf24: boolean;
  readonly #isLarge: boolean;
  /** A 2.4 may run it with mod_access_compat, so that a person may have answered what its lines are to say. */
  readonly #mayRunOn24: boolean;

  constructor(before: ConfigTree, after: ConfigTree, findings: readonly F[], places: EditPlaces<F>) {
    this.#before = before;
    this.#after = after;
    this.#filesBefore = new AccessFiles(before);
    this.#filesAfter = new AccessFiles(after);
    const [was, is] = [modulesNamed(before), modulesNamed(after)];
    this.#unlike = new Set([...was, ...is].filter((name) => was.has(name) !== is.has(name)));
    this.#compat = compatSettings(after);
    this.#findings = findings;
    this.#places = places;
    let size = 0;
    this.#isLarge = before.files.some(({ document }) => (size += document.text.length) > LARGE);
    this.#isOf24 = before.files.some(hasLinesFor24);
    this.#mayRunOn24 =
      before.chosen !== undefined && before.files.some(({ document }) => SIGNS_OF_24.test(document.text));
  }

  get vetoes(): readonly Veto<F>[] {
    return this.#isTooMuch ? this.#refused.map((veto) => ({ ...veto, madeBy: [] })) : this.#refused;
  }

  ask(rootsBefore: readonly ConfigFile[], rootsAfter: readonly ConfigFile[], isServer: boolean): void {
    for (const compat of this.#compat) {
      const settings: Assumptions['assumed'][] = ['all', 'none'];
      const questions = new Set<string>();
      for (const assumed of settings) {
        const assumptions = { assumed, unlike: this.#unlike, compat };
        const versions = this.#versions(rootsBefore, rootsAfter, assumptions);
        if (versions === undefined) break;
        this.#askVersions(versions, isServer);
        const { was, is } = versions;
        // What the old text never asked for has nothing to do with what that assumes.
        if ([...is.site.asked].some((question) => !was.site.asked.has(question))) {
          const apart = this.#versions(rootsBefore, rootsAfter, assumptions, was.site.asked);
          if (apart !== undefined) this.#askVersions(apart, isServer);
        }
        // Of a large configuration one assumption is enough: to read it again takes longer than to ask.
        if (was.site.asked.size + is.site.asked.size === 0 || this.#isLarge) break;
        // A block in another shows what it asks for where that one is read.
        for (const question of was.site.asked) questions.add(question);
        if (assumed === 'none') settings.push(...mixedSettings(questions));
      }
    }
  }

  #versions(
    rootsBefore: readonly ConfigFile[],
    rootsAfter: readonly ConfigFile[],
    assumptions: Assumptions,
    sharedOnly?: ReadonlySet<string>,
  ): Versions | undefined {
    try {
      const was = new ServedTree(this.#before, this.#filesBefore, rootsBefore, '2.2', assumptions);
      const is = new ServedTree(this.#after, this.#filesAfter, rootsAfter, '2.4', {
        ...assumptions,
        ...(sharedOnly && { sharedOnly }),
      });
      const today = this.#mayRunOn24
        ? new ServedTree(this.#before, this.#filesBefore, rootsBefore, '2.4', {
            ...assumptions,
            compat: true,
          })
        : undefined;
      return was.hostCount === is.hostCount ? { was, is, today } : undefined;
    } catch (error) {
      if (isUnread(error)) return undefined;
      throw error;
    }
  }

  #askVersions(versions: Versions, isServer: boolean): void {
    const { site } = versions.was;
    const sections = sectionsOf(site.lines);
    const targets = new Targets(site, this.#filesBefore, sections, isServer);
    const touched = sections
      .filter(({ section }) => this.#places.inSection(section))
      .map((placed) => ({ text: this.#textOf(placed), targets: () => targets.ofSection(placed) }));
    const accessFiles = this.#before.htaccess
      .filter(({ path }) => this.#places.has(path))
      .map((file) => ({
        text: file.document.text,
        targets: () => targets.ofAccessFile(file, linesIn(file)),
      }));
    const chosen = [...sample(touched), ...sample(accessFiles)];
    // As many as if all of them were asked about: to leave out what says the same makes the rest no dearer.
    const count = Math.min(MAX_PLACES, touched.length) + Math.min(MAX_PLACES, accessFiles.length);
    const most = Math.min(MAX_AT_PLACE, Math.floor(MAX_QUESTIONS / Math.max(1, count)));
    const step = sections.length + 100;
    this.#askPlaces(chosen, versions, most, MAX_STEPS / step);
    if (this.#makers.size === 0) return;
    // Where such files alone are taken back, the others have to be asked about by themselves.
    const asked = new Set(chosen);
    let others = ofEachText([...touched, ...accessFiles].filter((place) => !asked.has(place)));
    while (others.length > 0) {
      if (asked.size - chosen.length + others.length > MAX_MORE) {
        this.#isTooMuch = true;
        return;
      }
      this.#askPlaces(others, versions, MAX_AT_MORE, Infinity);
      for (const place of others) asked.add(place);
      // What is decided of one file is not decided of another with its text: all of them are to be found at once.
      others = withTextOf(
        accessFiles.filter((place) => !asked.has(place)),
        this.#before.htaccess.filter(({ path }) => this.#madeBy.has(path)),
      );
    }
  }

  /** @param budget how many requests are followed */
  #askPlaces(places: readonly AskedPlace[], versions: Versions, most: number, budget: number): void {
    let left = budget;
    for (const place of places) {
      const targets = place.targets();
      const each = Math.max(8, Math.floor(most / Math.max(1, targets.length)));
      for (const target of targets) {
        if (--left < 0) return;
        this.#askAt(target, versions, each);
      }
    }
  }

  readonly #texts = new Map<string, string>();

  #textOf({ section: { file, start, end, name } }: PlacedSection): string {
    if (this.#texts.size === 0)
      for (const { path: known, document } of this.#before.files) this.#texts.set(known, document.text);
    const text = this.#texts.get(file) ?? '';
    return name + text.slice(start, end).replace(/^[^\n]*\n/, '');
  }

  /** @throws Unreadable */
  #meet(target: JudgeTarget, { was, is, today }: Versions): MetRequest {
    const wanted = today?.wantedAt(target, this.#before);
    const stays = wanted === undefined ? today?.todayAt(target, this.#before) : undefined;
    // Where no line shows that a 2.4 runs them, lines of 2.2 alone may also be read as by 2.2.
    const isSure = was.site.loaded.includes('access_compat');
    const before = wanted ?? (isSure ? stays : undefined) ?? was.at(target);
    return { before, after: is.at(target), stays, isMerged: is.seen(target) !== target.uri };
  }

  #askAt(target: JudgeTarget, versions: Versions, most: number): void {
    let meeting: MetRequest;
    try {
      meeting = this.#meet(target, versions);
    } catch (error) {
      if (!isUnread(error)) throw error;
      this.asked++;
      return;
    }
    const { before, after } = meeting;
    const makers = new DifferenceMakers(this.#accessFilesOn(meeting), (client, without) => {
      const other = this.#meet({ ...target, without }, versions);
      const [old, now] = [other.before.answer(client), other.after.answer(client)];
      return this.#isRefused(old, now, other, client);
    });
    const isTls = versions.was.isOverTls(target);
    const clients = clientsFor([...before.way.bodies, ...after.way.bodies]);
    const asking = isTls === undefined ? clients : clients.filter(({ tls = isTls }) => tls === isTls);
    for (const client of sampled(asking, most)) {
      this.asked++;
      try {
        const [old, now] = [before.answer(client), after.answer(client)];
        this.answered++;
        if (!this.#isRefused(old, now, meeting, client)) continue;
        const why = whyOf(target, client, { ...meeting, old, now, compat: versions.is.site.compat });
        const opens = now === 'P' && before.way.ends !== 'E';
        this.#refuse(meeting, { why, opens, isOwn: old === 'E', madeBy: makers.of(client) });
      } catch (error) {
        if (!isUnread(error)) throw error;
      }
    }
  }

  /** Whether a difference is one that nothing has told of, or nothing may. */
  #isRefused(old: Letter, now: Letter, meeting: MetRequest, client: JudgeClient): boolean {
    const { before, after, stays, isMerged } = meeting;
    if (old === now || (stays !== undefined && isKept(stays.answer(client), now))) return false;
    const isOpened = now === 'P';
    // Whom merged slashes keep out, the rule for MergeSlashes tells.
    if (!isOpened && isMerged) return false;
    const isAnswered = 'wanted' in before;
    if (!isOpened && ((this.#isOf24 && !isAnswered) || (old !== 'P' && now !== 'E'))) return false;
    if (old === 'E' && !isOpened) return false;
    if (isOpened && this.#isTlsTold(client, before, now)) return false;
    return isOpened
      ? !isOfAuthor(after.way, this.#before, this.#after, this.#findings)
      : !this.#isTold(before.way.sections, filesOn(meeting));
  }

  /** The `.htaccess` files on the way of a request, the deepest first. */
  #accessFilesOn(meeting: MetRequest): readonly string[] {
    this.#accessPaths ??= new Set(this.#before.htaccess.map(({ path }) => path));
    return [...filesOn(meeting)].filter((path) => this.#accessPaths!.has(path)).reverse();
  }

  #accessPaths: ReadonlySet<string> | undefined;

  #refuse(meeting: MetRequest, veto: Omit<Veto<F>, 'changes'>): void {
    const concerned = this.#places.concerned(meeting.before.way.sections, filesOn(meeting));
    const { madeBy, opens, isOwn } = veto;
    if (madeBy.length > 0) {
      // One request is enough of those that differ for the same files.
      const key = `${String(opens)} ${String(isOwn)} ${madeBy.join('\n')}`;
      if (this.#makers.has(key)) return;
      this.#makers.add(key);
      for (const path of madeBy) this.#madeBy.add(path);
      this.#refused.push({ ...veto, changes: concerned });
      return;
    }
    const changes = concerned.filter((finding) => !this.#vetoed.has(finding));
    for (const finding of changes) this.#vetoed.add(finding);
    if (changes.length > 0) this.#refused.push({ ...veto, changes });
  }

  /** Whether the client is let in for want of an SSLRequireSSL alone of which an error says that 2.4 does not read it. */
  #isTlsTold(client: JudgeClient, before: ServedRequest, now: Letter): boolean {
    if (client.tls !== false) return false;
    const isTold = ({ name, file, start, end }: Line): boolean =>
      name === 'sslrequiressl' &&
      this.#findings.some(
        ({ level, status, file: { path }, at }) =>
          level === 'error' && status === 'none' && path === file && start <= at && at < end,
      );
    return (
      before.way.bodies.some((body) => body.some(isTold)) && before.answer({ ...client, tls: true }) === now
    );
  }

  /**
   * Whether an error says of one of the sections that it lets fewer in, or could not be converted. Of a `.htaccess` that stays
   * as it is, a warning is enough.
   */
  #isTold(sections: readonly Line[], files: ReadonlySet<string>): boolean {
    return this.#findings.some(
      ({ level, safety, status, edits, changesAccess, file: { path, role }, at }) => {
        if (changesAccess === true && role === 'htaccess' && files.has(path) && !this.#places.has(path))
          return true;
        const isError =
          level === 'error' && (safety === 'strict' || status !== 'applied' || edits.length === 0);
        if (!isError || !files.has(path)) return false;
        if (role === 'htaccess') return true;
        return sections.some(({ file, start, end }) => file === path && start <= at && at < end);
      },
    );
  }
}

/** Where blocks ask for several names, or for names and modules: lines that some of them hold may be read without the others. */
function mixedSettings(questions: ReadonlySet<string>): Assumptions['assumed'][] {
  const names = [...questions].flatMap((question) => /^define (.*)$/s.exec(question)?.[1] ?? []);
  const alone = names.length > 1 ? names.slice(0, MAX_NAMES).map((name) => ({ name })) : [];
  return names.length > 0 && names.length < questions.size ? ['modules', 'defines', ...alone] : alone;
}

/** Whether an answer is that of today, or keeps out where a 2.4 fails today. */
function isKept(today: Letter, now: Letter): boolean {
  return today === now || (today === 'E' && now !== 'P');
}

/** Access lines of 2.4 alone (docs/facts/access-2.4.md). */
const FOR_24 = /^[ \t]*(?:AuthMerging|<Require(?:All|Any|None)|Require[ \t]+(?:not|all)[ \t])/im;

/** What a 2.2 reads nowhere: lines of 2.4 about access, and the one that loads what reads those of 2.2 too. */
const SIGNS_OF_24 =
  /^[ \t]*(?:<Require|Require[ \t]+(?:not|all|env|expr|host|ip|local|method)[ \t]|LoadModule[ \t]+"?access_compat_module)/im;

/** Whether a file has such a line that is in no conditional. */
function hasLinesFor24(file: ConfigFile): boolean {
  if (!FOR_24.test(file.document.text)) return false;
  const open = [...linesIn(file)];
  for (let line = open.pop(); line !== undefined; line = open.pop()) {
    const { name, words, body = [] } = line;
    if (/^(?:authmerging|require(?:all|any|none))$/.test(name)) return true;
    if (name === 'require' && words.length > 1 && /^(?:not|all)$/i.test(words[0]!)) return true;
    if (!name.startsWith('if')) for (const inner of body) open.push(inner);
  }
  return false;
}

/** The files that have a say in a request, as it was and as it is, from the top. */
function filesOn({ before, after }: MetRequest): ReadonlySet<string> {
  return new Set([...before.way.files, ...after.way.files]);
}

interface DifferingAnswers extends MetRequest {
  readonly old: Letter;
  readonly now: Letter;
  /** 2.4 has mod_access_compat. */
  readonly compat: boolean;
}

const SAYS: Readonly<Record<Letter, string>> = {
  P: 'lets it in',
  U: 'asks for a password (401)',
  F: 'refuses it (403)',
  E: 'fails (500)',
};

function whyOf(
  { uri, filename, host }: JudgeTarget,
  client: JudgeClient,
  { before, old, now, compat }: DifferingAnswers,
): string {
  const { method, address, user, groups, env = new Set(), tls } = client;
  const as =
    (user === undefined ? '' : ` as ${[user, ...groups].join(' of ')}`) +
    (env.size === 0 ? '' : ` with ${[...env].join(', ')} set`) +
    (tls === undefined ? '' : tls ? ' over TLS' : ' without TLS');
  const server = host < 0 ? '' : ` to virtual host ${host + 1}`;
  const server22 = 'wanted' in before ? before.wanted : '2.2';
  return `the check of the result refuses it: ${method} ${uri} (${filename})${server} from ${address}${as}: ${server22} ${SAYS[old]}, and with it 2.4${compat ? ' with mod_access_compat' : ''} ${SAYS[now]}`;
}
