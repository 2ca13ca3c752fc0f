import { closestMatch } from 'leven';

// Edits up to which two words count as the same one, misspelt: a third of the word, or this many, but below half of it.
const LEAST_EDITS = 2;

/** `; did you mean "…"?` with the nearest known word, or "" if all are far. */
export function didYouMean(word: string, known: readonly string[]): string {
  const maxDistance = Math.min(Math.max(LEAST_EDITS, Math.floor(word.length / 3)), Math.ceil(word.length / 2) - 1);
  const nearest = closestMatch(word, known, { maxDistance });
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}
