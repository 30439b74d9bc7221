import { type JudgeClient } from './answer';
import { isUnread } from './served';

/** How many files of one way are looked at. */
const MAX_FILES = 8;

/** Finds the `.htaccess` files that make a difference: without them a request is answered as it was. */
export class DifferenceMakers {
  readonly #files: readonly string[];
  /** What has made a difference before may make the next one, too; none where the server's own files have made one. */
  #last: readonly string[] | undefined;

  /**
   * @param files on the way of the request, the deepest first: its author has the least to say about others
   * @param differs whether the versions still differ without some of them
   */
  constructor(
    files: readonly string[],
    private readonly differs: (client: JudgeClient, without: ReadonlySet<string>) => boolean,
  ) {
    this.#files = files.slice(0, MAX_FILES);
  }

  /** One file, if one is enough; else the deepest that are. None where the server's own files make the difference. */
  of(client: JudgeClient): readonly string[] {
    if (this.#last?.length === 0) return this.#last;
    const alone = this.#files.map((file) => [file]);
    const together = this.#files.map((_, i) => this.#files.slice(0, i + 1)).slice(1);
    const candidates = [...(this.#last === undefined ? [] : [this.#last]), ...alone, ...together];
    return (this.#last = candidates.find((files) => this.#isAlikeWithout(client, files)) ?? []);
  }

  #isAlikeWithout(client: JudgeClient, files: readonly string[]): boolean {
    try {
      return !this.differs(client, new Set(files));
    } catch (error) {
      if (isUnread(error)) return false;
      throw error;
    }
  }
}
