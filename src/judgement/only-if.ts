/** These items of a list if a condition is met, or else none. They are made in any case. */
export function onlyIf<Item>(isMet: boolean, ...items: readonly Item[]): readonly Item[] {
  return isMet ? items : [];
}
