// Answers that are found once, and maps that make room for what is put into them. Folders above `src/config` use these and have
// none of their own, but for the judge, which shares nothing.

/** A map, or a weak one. */
interface AnyMap<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
  has(key: K): boolean;
}

/**
 * A text by itself, for what is remembered: a part of a text keeps all of that in memory, and so does a text that is put together
 * of such parts, until its characters are asked for.
 */
export function detached(text: string): string {
  return ` ${text}`.slice(1);
}

/** The value of a key, which may be undefined, made with the first question for it. */
export function getOrInsert<K, V>(map: AnyMap<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined || map.has(key)) return known as V;
  const value = make();
  map.set(key, value);
  return value;
}

/** A map that begins anew when it is full, so that a program that reads many configurations does not grow. */
export class BoundedMap<K, V> extends Map<K, V> {
  constructor(private readonly most: number) {
    super();
  }

  override set(key: K, value: V): this {
    if (this.size >= this.most) this.clear();
    return super.set(key, value);
  }
}

/** A function that asks `make` once for each object, as long as that is in use; or once for each key of `values`. */
export function memo<K extends object, V>(make: (key: K) => V): (key: K) => V;
export function memo<K, V>(make: (key: K) => V, values: AnyMap<NoInfer<K>, NoInfer<V>>): (key: K) => V;
export function memo<K extends object, V>(
  make: (key: K) => V,
  values: AnyMap<K, V> = new WeakMap<K, V>(),
): (key: K) => V {
  return (key) => {
    const known = values.get(key);
    if (known !== undefined || values.has(key)) return known as V;
    const value = make(key);
    values.set(key, value);
    return value;
  };
}

/** {@link memo} that begins anew when it knows `most` answers: for what is asked over and over, of few objects at a time. */
export function memoOfFew<K extends object, V>(most: number, make: (key: K) => V): (key: K) => V {
  let [known, values] = [0, new WeakMap<K, V>()];
  return (key) => {
    if (!values.has(key) && known++ >= most) [known, values] = [1, new WeakMap()];
    return getOrInsert(values, key, () => make(key));
  };
}

/** A function that asks `make` with its first call alone. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** A function that hands on its first call alone. */
export function once<T>(call: (value: T) => void): (value: T) => void {
  let isDone = false;
  return (value) => {
    if (isDone) return;
    isDone = true;
    call(value);
  };
}

/** Puts one more item into the list of a key. */
export function addTo<K, V>(lists: AnyMap<K, V[]>, key: K, item: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Items by what a function says of each, both in the order of the items. */
export function groupBy<K, V>(items: Iterable<V>, keyOf: (item: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}
