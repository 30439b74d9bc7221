import type { Wishes } from './protocol';

/** What a link carries: the text and the switches. */
export interface Shared {
  readonly text: string;
  readonly isHtaccess: boolean;
  readonly wishes: Wishes;
}

/** Characters of a text that a link may unfold to: a link comes from anybody. */
export const LONGEST = 1_000_000;

/** The fragment of a link: JSON, deflated, in base64url. */
export async function fragmentOf(shared: Shared): Promise<string> {
  const { text, isHtaccess, wishes } = shared;
  const json = JSON.stringify({ text, htaccess: isHtaccess, ...wishes });
  const stream = new Blob([json]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `#t=${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** What a fragment says; undefined for one that is no link of ours, `damaged` also for more than a link can carry. */
export async function sharedIn(fragment: string): Promise<Shared | 'damaged' | undefined> {
  const [, packed] = /^#t=(.*)$/s.exec(fragment) ?? [];
  if (packed === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const json = await limited(
      new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')),
    );
    return (json === undefined ? undefined : sharedOf(JSON.parse(json))) ?? 'damaged';
  } catch {
    return 'damaged';
  }
}

async function limited(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > 2 * LONGEST) {
      void reader.cancel();
      return undefined;
    }
  }
}

/** Takes of a value what is of the kind that belongs there. */
function sharedOf(value: unknown): Shared | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { text, htaccess, target, dual, modules, exact, pinDefaults, answers, leftOut } = value as Partial<
    Record<string, unknown>
  >;
  if (typeof text !== 'string' || text.length > LONGEST) return undefined;
  const pairs = typeof answers === 'object' && answers !== null ? Object.entries(answers) : [];
  return {
    text,
    isHtaccess: htaccess === true,
    wishes: {
      target: typeof target === 'number' && Number.isInteger(target) ? target : 0,
      dual: dual === true,
      modules: typeof modules === 'string' ? modules.slice(0, LONGEST) : '',
      exact: exact === true,
      pinDefaults: pinDefaults === true,
      answers: Object.fromEntries(
        pairs.filter(
          (pair): pair is [string, boolean | string] =>
            // A key is shown as a question where nothing asks it any more: no sentence of somebody else's.
            /^[a-z0-9-]{1,80}$/.test(pair[0]) && ['boolean', 'string'].includes(typeof pair[1]),
        ),
      ),
      leftOut: Array.isArray(leftOut) ? leftOut.filter((key) => typeof key === 'string') : [],
    },
  };
}
