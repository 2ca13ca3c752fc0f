import { closestMatch } from 'leven';

/** Edits up to which two words are taken for the same one, misspelt: a third of the word; in short words this many, but never half of it. */
const LEAST_EDITS = 2;

/** `; did you mean "…"?` with the nearest of the words that are known, or nothing where none is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const maxDistance = Math.min(Math.max(LEAST_EDITS, Math.floor(word.length / 3)), Math.ceil(word.length / 2) - 1);
  const nearest = closestMatch(word, known, { maxDistance });
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}
