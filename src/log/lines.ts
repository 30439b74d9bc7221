/** Longer lines are none of a log: the longest that httpd writes of a request are its request line and two headers, escaped. */
const MAX_LINE = 1 << 18;

/** Cuts a text that comes in pieces into lines. It holds no more than one line. */
export class LineCutter {
  readonly #onLine: (line: string | undefined) => void;
  #rest = '';
  #isTooLong = false;

  /** @param onLine called for each line, without its end; undefined for one that is too long to be one of a log */
  constructor(onLine: (line: string | undefined) => void) {
    this.#onLine = onLine;
  }

  add(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const part = text.slice(from, end);
      from = end + 1;
      this.#emit(this.#rest === '' ? part : this.#rest + part);
      this.#rest = '';
    }
    if (this.#isTooLong) return;
    this.#rest += from === 0 ? text : text.slice(from);
    if (this.#rest.length > MAX_LINE) {
      this.#isTooLong = true;
      this.#rest = '';
    }
  }

  /** What stands behind the last line end. */
  end(): void {
    if (this.#rest !== '' || this.#isTooLong) this.#emit(this.#rest);
    this.#rest = '';
  }

  #emit(line: string): void {
    const isTooLong = this.#isTooLong || line.length > MAX_LINE;
    this.#isTooLong = false;
    this.#onLine(isTooLong ? undefined : line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}
