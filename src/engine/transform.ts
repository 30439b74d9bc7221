import type { Transform } from './types';

/** A transform as its file declares it: without `directives` it owns none. */
export type DeclaredTransform = Omit<Transform, 'directives'> & Partial<Pick<Transform, 'directives'>>;

/** Declares a transform; all it does is to hold the type and freeze it. */
export function defineTransform(transform: DeclaredTransform): Transform {
  return Object.freeze({ directives: [], ...transform });
}

/**
 * Checks the ordered list of transforms: ids are unique and every directive has one owner.
 * @throws Error naming the two that collide; a mistake in the program, not in any input
 */
export function checkRegistry(transforms: readonly Transform[]): readonly Transform[] {
  const ids = new Set<string>();
  const owners = new Map<string, string>();
  for (const { id, directives } of transforms) {
    if (ids.has(id)) throw new Error(`two transforms are called ${id}`);
    ids.add(id);
    for (const name of directives) {
      const owner = owners.get(name.toLowerCase());
      if (owner !== undefined) throw new Error(`${name} is owned by ${owner} and by ${id}`);
      owners.set(name.toLowerCase(), id);
    }
  }
  return transforms;
}
