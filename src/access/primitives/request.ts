/**
 * The methods that a line is limited to: those named, or all but those named. HEAD counts as GET in both versions
 * (server/core.c: ap_limit_section; modules/http/http_protocol.c: ap_method_number_of).
 */
export interface MethodMask {
  readonly except: boolean;
  readonly names: ReadonlySet<string>;
}

export const ALL_METHODS: MethodMask = { except: true, names: new Set() };

/** A method class: a method that some Limit names, or `*` for all that none names. */
export type MethodClass = string;
export const OTHER_METHODS: MethodClass = '*';

export function methodMask(words: readonly string[], except: boolean): MethodMask {
  return { except, names: new Set(words.map((word) => (word === 'HEAD' ? 'GET' : word))) };
}

export function covers(mask: MethodMask, method: MethodClass): boolean {
  return mask.names.has(method) !== mask.except;
}

export function coversAll(mask: MethodMask): boolean {
  return mask.except && mask.names.size === 0;
}

/** What a request shows of its server, whatever the client says (2.4 server/util_expr_eval.c). Undefined: not known. */
export interface ServerTraits {
  /** `%{DOCUMENT_ROOT}`, as the configuration writes it. */
  readonly documentRoot: string | undefined;
  /** `%{HTTPS}` is `on`. */
  readonly tls: boolean | undefined;
  /** Where the name in the request has chosen it. */
  readonly name: NameTraits | undefined;
}

/** By which names requests come to one of the virtual hosts that are for the same addresses. */
export interface NameTraits {
  readonly addresses: string;
  /** Lower case; its ServerName first. They lead to no other of these hosts. */
  readonly names: readonly string[];
  /** The server gets requests for all names that no other server of the address has. */
  readonly isFirst: boolean;
}

/** What a server is asked, as far as access depends on it. Texts are byte strings. */
export interface AccessRequest {
  /** The method as it is sent; HEAD counts as GET. */
  readonly method: string;
  readonly uri: string;
  /** The file it maps to, absolute; a directory ends in a slash. */
  readonly filename: string;
  readonly address: string;
  /** The client's name, where its address resolves both ways. */
  readonly host: string | undefined;
  /** Names of the variables set when access is checked, lower case. */
  readonly env: ReadonlySet<string>;
  /** The authenticated user; undefined where there are no credentials, or wrong ones. */
  readonly user: string | undefined;
  readonly groups: ReadonlySet<string>;
  /** What the tests of a rewrite ask of the server that answers. */
  readonly server?: ServerTraits;
  /** Over TLS; where nothing is said, it is. */
  readonly tls?: boolean;
  /** The questions that modules say yes to, as {@link moduleQuestion} words them; undefined where that is not known. */
  readonly holds?: ReadonlySet<string>;
  readonly config: Config;
}

/** Whether an undecided conditional, `IfModule mod_x.c`, holds. */
export type Config = (name: string) => boolean;

export type RequestPlace = Pick<AccessRequest, 'uri' | 'filename'>;

/** P got in · U 401 · F 403 · E 500 · ? the model does not know. */
export type AccessAnswer = 'P' | 'U' | 'F' | 'E' | '?';

/** What a Require line asks a module, as one text for both versions. @param words what follows the keyword */
export function moduleQuestion(keyword: string, words: readonly string[]): string {
  // 2.4 has a word of its own for files whose groups mod_authz_dbm knows.
  return [keyword === 'dbm-file-group' ? 'file-group' : keyword, ...words].join(' ');
}
