import { type Line, Unreadable } from '../text';
import type { JudgeClient } from './request';

/** A line and whether the `<Limit>` around it is for the method. */
export interface Limited {
  readonly line: Line;
  readonly counts: boolean;
}

/** The sections that a request meets, in the order in which they count, read once for many clients. */
export class MetSections {
  readonly #byMethod = new Map<string, readonly (readonly Limited[])[]>();
  readonly #settings = new Map<string, Line | undefined>();

  constructor(private readonly sections: readonly (readonly Line[])[]) {}

  /** The lines of each section, those in `<Limit>` too. */
  linesFor(method: string): readonly (readonly Limited[])[] {
    let lines = this.#byMethod.get(method);
    if (lines === undefined) {
      lines = this.sections.map((section) => limited(section, method));
      this.#byMethod.set(method, lines);
    }
    return lines;
  }

  /** The last line that sets something; a `<Limit>` or a group of Require around it does not matter. */
  settingOf(name: string): Line | undefined {
    if (!this.#settings.has(name))
      this.#settings.set(
        name,
        this.linesFor('')
          .flat()
          .flatMap(({ line }) => [...withGroup(line)])
          .findLast((line) => line.name === name),
      );
    return this.#settings.get(name);
  }

  /** The first word of it. */
  wordOf(name: string): string | undefined {
    return this.settingOf(name)?.words[0];
  }
}

/**
 * Whether SSLRequireSSL, which no section below takes back, lets a request in (ssl_engine_kernel.c: ssl_hook_Access).
 * @throws Unreadable where it is not known how the request comes
 */
export function meetsTls(sections: MetSections, { tls }: JudgeClient): boolean {
  if (sections.settingOf('sslrequiressl') === undefined) return true;
  if (tls === undefined) throw new Unreadable('SSLRequireSSL');
  return tls;
}

/** A line, and those in it if it is a group of Require, for which httpd reads them as if they stood around it. */
function* withGroup(line: Line): Generator<Line> {
  yield line;
  if (/^(?:require(?:all|any|none)|limit(?:except)?)$/.test(line.name))
    for (const inner of line.body ?? []) yield* withGroup(inner);
}

/** HEAD has the number of GET, in a request and in a section (server/protocol.c, http_protocol.c: ap_method_number_of). */
const methodOf = (name: string): string => (name === 'HEAD' ? 'GET' : name);

function limited(body: readonly Line[], method: string, counts = true): Limited[] {
  return body.flatMap((line) => {
    if (line.name === 'limit' || line.name === 'limitexcept') {
      const named = line.words.map(methodOf).includes(methodOf(method));
      return limited(line.body ?? [], method, counts && named === (line.name === 'limit'));
    }
    return [{ line, counts }];
  });
}
