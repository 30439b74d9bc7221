import type { Transform } from '../engine/types';
import { type DirectiveInfo, findDirective } from '../httpd/directives';
import {
  configError,
  type LogMessage,
  MESSAGES,
  type MessageShape,
  plainWords,
  QUESTIONS,
  remedyOfArea,
  SYMPTOMS,
  misnamedModule,
  tellingLine,
} from '../httpd/messages';
import { findModule } from '../httpd/modules';
import { thirdPartyOwner } from '../httpd/third-party';
import {
  foreignIn,
  isBefore22,
  isOfEvery24,
  isOutOfPlace,
  remedyFor,
  remedyOfCommand,
  remedyOfLoading,
  remedyOfModule,
  remedyOfNamed,
  whatToDo,
} from './remedies';

/** What is known of a message of httpd. */
export interface MessageExplanation {
  readonly rule: Pick<Transform, 'id' | 'title' | 'isAboutAccess'> | undefined;
  readonly remedy: string;
  readonly directive: string | undefined;
  /** The file of the configuration that the message blames. */
  readonly file: string | undefined;
  /** The ServerName of the virtual host that the message blames. */
  readonly host?: string;
  /** The directory whose Options the message is about. */
  readonly optionsOf?: string;
  /** The module that the message is about, without `mod_`, where LoadModule lines are to be changed. */
  readonly loads?: string;
  /** What the message quotes of the line. */
  readonly quoted: string | undefined;
  /** Whether the message says only that something failed: it is not told where another one says what. */
  readonly general: boolean;
  /** Whether this is no message, but a question about the configuration as a whole. */
  readonly isQuestion?: boolean;
  /** Where the sources of 2.4 have the message, as a sentence, if nothing but its number is known. */
  readonly source?: string;
}

/** The messages as httpd writes them; from a person's memory, in any letter case and without what a log has in front. */
function* candidates(line: string): Generator<readonly [MessageShape, RegExp]> {
  for (const shape of MESSAGES) yield [shape, shape.pattern];
  if (line.startsWith('[')) return;
  insensitive ??= MESSAGES.map((shape) => [shape, new RegExp(shape.pattern.source, 'i')]);
  yield* insensitive;
}

/** Whether a line matches a message that is explained. */
export function isKnownMessage(line: string): boolean {
  return MESSAGES.some(({ pattern }) => pattern.test(line));
}

let insensitive: readonly (readonly [MessageShape, RegExp])[] | undefined;

/** How the loader of Alpine says what others call an undefined symbol. */
const MUSL_SYMBOL = /: (\w{1,200}): symbol not found\b/;

/** @returns undefined for a line that matches no known message */
export function explainMessage(
  line: string,
  transforms: readonly Transform[],
): MessageExplanation | undefined {
  const said = line.replace(MUSL_SYMBOL, ': undefined symbol: $1');
  // Of several messages in one line, the one that says what is wrong is told, not the one that says that something is.
  const isSeveral = /\bAH\d{5}\b.*\bAH\d{5}\b/.test(line);
  let general: MessageExplanation | undefined;
  for (const [shape, pattern] of candidates(line)) {
    const match = pattern.exec(said);
    const found = match === null ? undefined : explanationOf(shape, match, transforms);
    if (found !== undefined && !(isSeveral && found.general)) return found;
    general ??= found;
  }
  return general;
}

/** What other programs say in words of their own, or by the form of their lines, and which they are. */
const SAID_BY_OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}\/\d\d\/\d\d [\d:]{8} \[\w+\] \d+#|\bnginx: \[|\bwhile (?:connecting to|reading \w+ \w+ from) upstream\b/, 'nginx'],
  [/\bHTTP Error \d{3}\.\d/, 'IIS'],
  [/\(\w+\.c\.\d+\)/, 'lighttpd'],
  [/\berror: invalid command '/, 'setuptools of Python'],
  [/\bAccess denied for user '|\bSQLSTATE\[|\bTable '[^']*' doesn't exist|^ERROR \d{4} \(|\bError establishing a database connection\b/, 'the database'],
  [/\bcloudflare\b.*\b(?:error|denied)\b|\b(?:error|denied)\b.*\bcloudflare\b(?!.*\b(?:apache|httpd)\b)|\bawselb\/|<Code>AccessDenied</is, 'the service in front of the server'],
  [/\bCSRF (?:verification|token)|\bInvalidAuthenticityToken\b(?!.*\bbase_url\b)|\b(?:not|un)[ -]?authorized to (?:access|view) this page\b/i, 'the program behind the page'],
  [/^(?:E|W|remote|fatal|vsftpd|named|sshd|squid|postfix\S*|dovecot|mysqld\S*|docker|kernel|sudo)(?:\[\d+\])?: (?!.*\b(?:apache2|httpd)\b)|\bRelay access denied\b/i, 'another program'],
]; // prettier-ignore

/** What to do about a line of another program. */
export function explainOthers(line: string): MessageExplanation | undefined {
  const by = SAID_BY_OTHERS.find(([pattern]) => pattern.test(line))?.[1];
  return by === undefined
    ? undefined
    : {
        ...plainly(`it is a message of ${by}, not of httpd: look into the log and the settings of that`),
        general: true,
      };
}

function explanationOf(
  shape: MessageShape,
  match: RegExpExecArray,
  transforms: readonly Transform[],
): MessageExplanation {
  const { asked, directive = asked, module, tool, scheme, file, host, directory } = match.groups ?? {};
  const foreign = foreignIn(module);
  const id =
    (foreign && 'third-party-module') ??
    (isOutOfPlace(shape, directive) ? 'misplaced-directive' : undefined) ??
    (shape.owned && directive !== undefined ? ruleOf(directive, transforms) : undefined) ??
    shape.rule ??
    (directive === undefined ? undefined : ownerOf(directive, transforms));
  return {
    rule: transforms.find((transform) => transform.id === id),
    remedy: remedyFor(shape, { directive, module, byTool: tool !== undefined, scheme, foreign }).replace(
      /\$<(\w+)>/g,
      (_, name: string) =>
        (name === 'small' ? match.groups?.[name]?.toLowerCase() : match.groups?.[name]) ?? '',
    ),
    directive,
    file,
    ...(host !== undefined && { host }),
    ...(directory !== undefined && { optionsOf: directory }),
    ...(module !== undefined && shape.rule === 'load-module' && { loads: module }),
    quoted: / '([^']+)'/.exec(match.input.slice(match.index))?.[1],
    general: shape.general ?? false,
  };
}

/** What another program says, whose name stands in front. */
const BY_ANOTHER = /^(?!(?:httpd|apache2?(?:ctl)?|apachectl)\b)(?:[a-z][\w.-]{0,40}|Error): /;

/** What to do where the reader of configurations refuses a line, by the module that does; undefined for what it never says. */
export function explainConfigError(line: string): MessageExplanation | undefined {
  const error = BY_ANOTHER.test(line) ? undefined : configError(line);
  if (error === undefined) return undefined;
  const { module, source } = error;
  const name = module === 'core' ? 'httpd' : `mod_${module}`;
  const directive = line
    .match(/[A-Z]\w+/g)
    ?.map(findDirective)
    .find((info) => info !== undefined)?.name;
  return {
    ...plainly(
      `write the argument as the message says that ${name} takes it, or remove the line: 2.4 checks some that 2.2 passed over`,
      undefined,
      directive,
    ),
    source: `an error of ${name} (${source})`,
  };
}

/** What to do about a numbered message that has no words of its own, by the module that logs it. */
export function explainNumber(message: LogMessage): MessageExplanation | undefined {
  const remedy = remedyOfArea(message);
  return remedy === undefined ? undefined : { ...plainly(remedy), source: sourceText(message) };
}

/** Whose message it is, and where the sources have it. */
export function sourceText({ id, module, level, source }: LogMessage): string {
  return `${id} is of ${module === 'core' ? 'httpd itself' : `mod_${module}`}, level ${level} (${source})`;
}

/** What is wrong with a block in lines that stand beside a message: it asks for a name that no module has. */
export function explainBlock(given: string): MessageExplanation | undefined {
  const remedy = misnamedModule(given);
  return remedy === undefined ? undefined : plainly(remedy);
}

function plainly(remedy: string, rule?: Transform, directive?: string): MessageExplanation {
  return { rule, remedy, directive, file: undefined, quoted: undefined, general: false };
}

/** The programs that a server names below a page of its own, behind its release. */
const SIGNATURE = /\b(Apache\/2\.[\d.]{1,8})(?: \([^()\n]{1,40}\))?(?: [\w.+-]{1,40}\/[\w.+-]{1,40})+/g;

/**
 * Answers a person's own words: by the modules and directives named that 2.4 lacks, else by what they say.
 * @param given the words with the lines of a configuration that they bring along
 */
export function explainQuestion(
  text: string,
  transforms: readonly Transform[],
  given = text,
): MessageExplanation | undefined {
  const answer = answerTo(text.replace(SIGNATURE, '$1'), transforms, given);
  return answer && { ...answer, isQuestion: true };
}

/** An ErrorDocument line, whose status and words are none that somebody gets. */
const OWN_TEXT = /\bErrorDocument[ \t]+(?!401)\d{3}(?:[ \t]+(?:"[^"\n]*"?|[/\w][\w./:-]*))?/g;

/** Programs of others: what names one, and nothing of httpd, is about that. */
const OTHERS =
  /\b(?:apache[ -](?:activemq|airflow|cassandra|flink|guacamole|hadoop|hive|kafka|maven|solr|spark|superset|tomcat|zookeeper)|nginx|iis|lighttpd|caddy|haproxy|traefik|varnish|squid|node\.?js|tomcat|jetty|javascript|github|gitlab|jenkins|kubernetes|k8s|elasticsearch|mysql|mariadb|postgres\w*|sshd?|samba)\b/gi;
const OURS =
  /apache|httpd|htaccess|\b2\.[024]\b|\bmod[_-]\w|\b[am]2(?:en|dis)|\bv(?:irtual ?)?hosts?\b|\bajp\b|\b(?:fast|f)?cgi(?!_pass|_param)|\bbehind\b|\bin front\b|\bproxy|\b(?:xampp?|[wml]amp)|php(?:my|pg)admin|\bdocument ?root/i;

function answerTo(
  text: string,
  transforms: readonly Transform[],
  given: string,
): MessageExplanation | undefined {
  // A line of a log that is not known is no question.
  if (/^\[|\bAH\d{5}\b|(?:^|[:)] )mod_\w+(?:: [a-z]|\[\d+\]: )/m.test(text)) return undefined;
  if (
    text.search(OTHERS) >= 0 &&
    !OURS.test(text.replace(OTHERS, '')) &&
    directiveIn(text, () => true) === undefined
  )
    return undefined;
  const written = tellingLine(given);
  if (written !== undefined) return plainly(written);
  const names = modulesIn(text);
  const ruleCalled = (id: string): Transform | undefined =>
    transforms.find((transform) => transform.id === id);
  const removed = names.find((name) => findModule(`mod_${name}.c`)?.versions === '2.2');
  if (removed !== undefined) return plainly(remedyOfModule(removed)!, ruleCalled('load-module'));
  const words = plainWords(text.replace(OWN_TEXT, 'ErrorDocument'));
  // The message, as somebody tells it.
  const refused = /\b(?:invalid|unknown) (?:command|directive):? ["'`]?(\w+)/i.exec(words)?.[1];
  if (refused !== undefined && findDirective(refused) !== undefined)
    return explainMessage(`Invalid command '${refused}', perhaps misspelled`, transforms);
  const gone =
    directiveIn(words, ({ owners24 }) => owners24.length === 0) ??
    words.match(/\b[A-Z][a-z]+[A-Z]\w+/g)?.find(isBefore22);
  if (gone !== undefined)
    return plainly(remedyOfCommand(gone), ruleCalled(ruleOf(gone, transforms) ?? ''), gone);
  const skipped = skippedModule(words, given);
  if (skipped !== undefined) return plainly(skipped, ruleCalled('load-module'));
  const asked = explainedBy(QUESTIONS, words, transforms);
  if (asked !== undefined) return asked;
  const foreign = names.map(foreignIn).find((found) => found !== undefined);
  const missed = /\b(?:without|missing|lack(?:s|ing)) (?:the )?(?:mod_\w{1,40}|\w{1,40}_module)\b/i.exec(
    words,
  )?.[0];
  const missing = missed === undefined ? undefined : plainlyLoaded(missed);
  if (missing !== undefined) return missing;
  const seen = symptomIn(words, transforms, given);
  // Whom httpd refuses, no such module has been asked about; what crashes or is slow is loaded.
  if (
    foreign !== undefined &&
    !/\b(?:403|50\d|forbidden|internal server error|headers?|crash\w*|segfault\w*|segmentation|dies|hangs?|slow\w*|leak\w*|error occurred|exception|time ?out|expired)\b/i.test(
      words,
    )
  )
    return plainly(whatToDo(foreign), ruleCalled('third-party-module'));
  if (seen?.general === false) return seen;
  return byDirective(text, words, seen, transforms);
}

/** That words of access have changed is no answer about lines of mod_rewrite, where they have none. */
function symptomIn(
  words: string,
  transforms: readonly Transform[],
  given: string,
): MessageExplanation | undefined {
  const isOfRewrite =
    /\bRewrite(?:Rule|Cond)\b/.test(given) && !/\b(?:order|allow|deny|satisfy|require)\b/i.test(given);
  const seen = explainedBy(SYMPTOMS, isOfRewrite ? `${words}\nRewriteRule` : words, transforms);
  if (seen?.rule?.isAboutAccess && /\b(?:403|forbidden|denied)\b/i.test(words)) {
    const root = ungrantedRoot(given);
    if (root !== undefined)
      return {
        ...seen,
        remedy: `write \`<Directory "${root}">\`, \`Require all granted\` and \`</Directory>\` (or Require lines for those who may): no section that was given lets anybody into this DocumentRoot, and 2.4 refuses what none grants below \`<Directory /> Require all denied\``,
      };
    if (
      /^[ \t]*Require all granted\b/im.test(given) &&
      !/^[ \t]*(?:Order|Deny|Satisfy|Require (?!all granted))\b/im.test(given)
    )
      return explainedBy(QUESTIONS, `${words}\nalready Require all granted`, transforms) ?? seen;
  }
  return isOfRewrite && seen?.general && seen.rule?.isAboutAccess ? undefined : seen;
}

/** The DocumentRoot of lines that somebody gives, where they have no section but that of `/`, and none that admits anybody. */
function ungrantedRoot(given: string): string | undefined {
  if (
    /^[ \t]*(?:<(?!Directory[ \t]+"?\/"?>|\/|VirtualHost\b|If\w+)|(?:Require|Allow[ \t]|Include|Alias|Proxy|Rewrite|DocumentRoot[ \t]+["']?\/(?:var\/www|usr\/share)))/im.test(
      given,
    )
  )
    return undefined;
  return /^[ \t]*DocumentRoot[ \t]+["']?([^"'\n]{1,200}?)["']?[ \t\r]*$/im.exec(given)?.[1];
}

/** What is known of the directives that a question names, or of modules that it misses. @param seen what is said in general */
function byDirective(
  text: string,
  words: string,
  seen: MessageExplanation | undefined,
  transforms: readonly Transform[],
): MessageExplanation | undefined {
  const ruleCalled = (id: string | undefined): Transform | undefined =>
    transforms.find((transform) => transform.id === id);
  const isRefused =
    /\b(?:invalid|unknown|misspelled|(?:not|n.t) (?:\w+ )?(?:known|recogni\w+|loaded|supported))\b/i.test(
      words,
    );
  const ofOthers = words
    .match(/\b[A-Z][a-z]*[A-Z](?=\w*[a-z])\w+|\b[A-Za-z]{2,20}_[A-Z][A-Za-z]+\b/g)
    ?.find((word) => findDirective(word) === undefined && thirdPartyOwner(word.toLowerCase()) !== undefined);
  if (ofOthers !== undefined)
    return plainly(
      (isRefused ? remedyOfCommand : remedyOfNamed)(ofOthers),
      ruleCalled('third-party-module'),
      ofOthers,
    );
  const renamed = directiveIn(words, ({ name }) => RENAMED.test(name));
  if (renamed !== undefined)
    return plainly(remedyOfCommand(renamed), ruleCalled(ruleOf(renamed, transforms)), renamed);
  const loaded = plainlyLoaded(text) ?? seen;
  const named = directiveIn(words, ({ name, owners24 }) => owners24.length > 0 && !CONTAINER.test(name));
  if (named === undefined || seen !== undefined) return loaded;
  const rule = ruleCalled(ruleOf(named, transforms));
  return plainly(remedyOfNamed(named, rule?.why), rule, named);
}

function explainedBy(
  shapes: readonly MessageShape[],
  words: string,
  transforms: readonly Transform[],
): MessageExplanation | undefined {
  for (const shape of shapes) {
    const match = shape.pattern.exec(words);
    if (match !== null) return explanationOf(shape, match, transforms);
  }
  return undefined;
}

/** The modules that a question names, without `mod_`. */
function modulesIn(text: string): string[] {
  const isOfSettings = /\bphp_(?:admin_)?(?:value|flag)\b|\bmpm[ _-]?(?:event|worker|prefork)\b/i.test(text);
  return [...text.matchAll(/\b(?:mod[_-]|a2enmod )([\w-]+)|\b(?!perl|python|php|ruby)([a-z]\w+) module\b/g)]
    .map(([, called, bare = '']) => (called ?? bare).replace(/-/g, '_'))
    .filter((name) => !(isOfSettings && name.startsWith('php')));
}

/** What asks for a module, where it names one. */
const IS_WANTED =
  /\b(?:missing|not have|lacks?|need(?:s|ed)?|requires?|required|without|unavailable|enabled?|enabling)\b|(?:\bnot|n.t|\bno longer) (?:be )?(?:\w+ )?(?:found|there|built|included|installed|loaded|enabled|available|shipped|listed|(?:being )?present|exist\w*|show up)\b/i;

/** Sections that say nothing of what is in them. */
const CONTAINER =
  /^(?:If(?:Module|Define|Version)|VirtualHost|Directory(?:Match)?|Location(?:Match)?|Files(?:Match)?)$/;

/** What says that lines do nothing. */
const IS_SKIPPED =
  /\b(?:does not work|no effect|ignored|missing|do(?:es)? nothing|lost|not (?:being )?(?:sent|set|configured|applied|added|shown|present|seen))\b/i;

/** Modules whose lines do nothing for many other reasons, which the questions know. */
const OTHERWISE =
  /^(?:mod_)?(?:rewrite|dir|deflate|filter|include|alias|ssl|status|info|userdir|autoindex|negotiation|auth\w*|access\w*|proxy\w*|cgid?|dav\w*|ldap|remoteip|mpm\w*)(?:\.c|_module)?$/;

/** How to load the module whose lines a question says to do nothing: <IfModule> passes over them without a word. */
function skippedModule(words: string, given: string): string | undefined {
  if (!IS_SKIPPED.test(words)) return undefined;
  const found = [
    ...`${words}\n${given}`.matchAll(
      /\bIfModule ["']?(mod_\w{1,40}\.c|\w{1,40}_module)\b|\b(mod_\w{1,40})\b/g,
    ),
  ]
    .map(([, block, bare]) => block ?? `${bare}.c`)
    .find(
      (name) =>
        !OTHERWISE.test(name) && findModule(name)?.versions !== '2.2' && findModule(name) !== undefined,
    );
  const module = found === undefined ? undefined : findModule(found);
  return module === undefined
    ? undefined
    : `${remedyOfLoading([module.identifier.replace(/_module$/, '')])}. Where it is not loaded, lines in <IfModule ${module.file}> are passed over without a word; those of a .htaccess also need an AllowOverride that lets them in (\`AllowOverride All\`)`;
}

/** How to load the modules of 2.4 that a question would have a2enmod enable, or misses. */
function plainlyLoaded(text: string): MessageExplanation | undefined {
  const asked = /\ba2enmod (?:-\w )?([a-z]\w+)/.exec(text)?.[1];
  const wanted = IS_WANTED.test(text)
    ? [
        ...text.matchAll(
          /\bmod_([a-z]\w+)|\b([a-z]+(?:_[a-z]+)+)\b|\b(\w+)(?= modules?\b)|(?<=\bmodules? )(\w+)/gi,
        ),
      ]
    : [];
  const names = asked === undefined ? wanted.map((found) => found.slice(1).join('').toLowerCase()) : [asked];
  const known = new Set(
    names
      .map((name) => name.replace(/_module$/, ''))
      .filter((name) => findModule(`${name}_module`) !== undefined),
  );
  return known.size === 0 ? undefined : plainly(remedyOfLoading([...known]));
}

/** A directive that a question names, of a kind, or one that 2.4 is said to refuse. */
function directiveIn(text: string, isOfKind: (info: DirectiveInfo) => boolean): string | undefined {
  const isRefused = /\binvalid (?:command|directive)|\bunknown (?:command|directive)|\bmisspelled\b/i.test(
    text,
  );
  for (const [word] of text.matchAll(/\b[A-Z][a-z]*[A-Z](?=\w*[a-z])\w+/g)) {
    const info = findDirective(word);
    if (info === undefined) {
      if (isRefused && thirdPartyOwner(word.toLowerCase()) !== undefined) return word;
    } else if (isRefused || isOfKind(info)) return info.name;
  }
  return undefined;
}

/** Directives that 2.4 has under another name, or without effect. */
const RENAMED = /^(?:MaxClients|MaxRequestsPerChild|NameVirtualHost|DefaultType)$/;

/** The rule that looks after a directive. */
function ruleOf(directive: string, transforms: readonly Transform[]): string | undefined {
  const key = directive.toLowerCase();
  return transforms.find(({ directives }) => directives.some((name) => name.toLowerCase() === key))?.id;
}

/** The rule that looks after a directive, as far as 2.4 lacks it; else the one that loads modules. */
function ownerOf(directive: string, transforms: readonly Transform[]): string | undefined {
  const known = findDirective(directive);
  if (known === undefined) return 'third-party-module';
  if (isOfEvery24(known)) return undefined;
  if (known.owners24.length > 0) return 'load-module';
  return ruleOf(directive, transforms) ?? 'unknown-directive';
}
