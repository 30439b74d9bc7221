import type { OpenFact } from '../access/replay';

/** What is known of logs that may hide something. */
interface LogKnowledge {
  /** What the answer to requests hangs on that their lines do not show, and to how many. */
  readonly open: ReadonlyMap<OpenFact, number>;
  /** Requests that a RewriteRule of a server may have led elsewhere. */
  readonly rewritten: number;
  readonly requests: number;
  readonly hasUsers: boolean;
  readonly hasUserField: boolean;
  readonly isWhole: boolean;
  /** Virtual hosts without a request. */
  readonly unseen: readonly string[];
  /** The client that nearly all requests come from. */
  readonly proxy: string | undefined;
}

const TEXTS: Readonly<Record<OpenFact, string>> = {
  server: 'the log does not say which virtual host answered (give the log of one host, or a format with %v)',
  groups: 'the log does not say which groups the user is in',
  user: 'the format has no user (%u)',
  names: 'it has the address of the client or its name, and the configuration asks for the other',
  variables: 'a variable is set by a header that the log does not have',
  modules: 'a module is asked that only the server can ask',
  tls: 'the log does not say whether the request came over TLS',
  conditionals: 'it hangs on a conditional (IfDefine, IfModule) that the files do not decide',
  files: 'the log does not say which file answered: an index file, or a program with a path behind its name',
  rewrites: 'a RewriteRule, AliasMatch or UserDir may lead it elsewhere',
  sections: 'it meets a section that the models cannot read to the end',
};

/** Virtual hosts that are named. */
const MOST_NAMED = 3;

/** Says what the lines of a log could not show: a sentence each. */
export function notShownText(known: LogKnowledge): readonly string[] {
  const { open, rewritten, requests, hasUsers, hasUserField, isWhole, unseen, proxy } = known;
  const texts = [...open].map(([fact, count]) => `of ${countOf(count)} it is not known: ${TEXTS[fact]}`);
  if (rewritten > 0)
    texts.push(
      `${countOf(rewritten)} match a RewriteRule, AliasMatch or the like: they are compared at their own URL, not where that leads`,
    );
  if (requests > 0 && !isWhole)
    texts.push('not all that was logged could be read: nothing is harmless for that reason');
  if (requests > 0 && unseen.length > 0) {
    const names = [
      ...unseen.slice(0, MOST_NAMED),
      ...(unseen.length > MOST_NAMED ? [`${unseen.length - MOST_NAMED} more`] : []),
    ];
    texts.push(
      `no request is known to be to ${names.join(', ')}: what stands in a virtual host without a request is harmless for no log`,
    );
  }
  if (proxy !== undefined)
    texts.push(
      'nearly all requests come from one address: if that is a proxy, the log hides the addresses of its clients',
    );
  if (requests > 0 && hasUserField && !hasUsers)
    texts.push('no line has a user: who was asked for a password is not seen');
  return texts;
}

function countOf(count: number): string {
  return count === 1 ? '1 request' : `${count.toLocaleString('en-US')} requests`;
}
