import { closestMatch } from 'leven';

/** Edits up to which two words are taken for the same one, misspelt: a third of the word, and at least this many. */
const LEAST_EDITS = 2;

/** `; did you mean "…"?` with the nearest of the words that are known, or nothing where none is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const maxDistance = Math.max(LEAST_EDITS, Math.floor(word.length / 3));
  const nearest = closestMatch(word, known, { maxDistance });
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}
