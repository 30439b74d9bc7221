import type { Outcome } from '../../engine/types';

/** What a change leaves out without anything in its place, a line each with its place and the reason: byte strings. */
export function omittedTexts({ status, omitted = [], file }: Outcome): readonly string[] {
  if (status !== 'applied') return [];
  return omitted.map(
    ({ at, text, why }) => `${file.name}:${file.document.positionAt(at).line}: "${text}" goes: ${why}`,
  );
}
