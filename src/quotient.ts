/** A part of a whole, or a figure for each of so many; null if either is unknown, or if there is nothing to divide by. */
export function quotient(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole;
}
