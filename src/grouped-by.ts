/** Items by what they have in common, in the order of first appearance. */
export function groupedBy<K, V>(items: Iterable<V>, keyOf: (item: V) => K): Map<K, V[]> {
  return groupedByEach(items, (item) => [keyOf(item)]);
}

/** Items by each of several things that others have, too. */
export function groupedByEach<K, V>(items: Iterable<V>, keysOf: (item: V) => Iterable<K>): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const item of items) for (const key of keysOf(item)) noted(groups, key, item);
  return groups;
}

/** Adds to what is listed under a key. */
export function noted<K, V>(groups: Map<K, V[]>, key: K, item: V): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}
