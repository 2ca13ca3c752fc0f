/** A part of a whole, or a figure for each of so many; null if either is unknown, or if there is nothing to divide by. */
export function quotient(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole;
}

/** The sum over the items that have the figure; null if none has it. */
export function sumOf<Item>(items: readonly Item[], of: (item: Item) => number | null): number | null {
  const known = items.map(of).filter((figure) => figure !== null);
  return known.length === 0 ? null : known.reduce((sum, figure) => sum + figure, 0);
}
