import type fc from 'fast-check';
import { SECTION_KINDS } from './kinds-sections';
import { SERVER_KINDS } from './kinds-servers';
import type { ShapeTree } from './tree';

/** Trees at random, by what is particular about them. */
export const KINDS = { ...SECTION_KINDS, ...SERVER_KINDS };
export type Kind = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

export const treesOf = (kind: Kind): fc.Arbitrary<ShapeTree> => KINDS[kind];
