import type { ArrayProfile } from '../../src/profile/document-profile.js';
import { formatCount, formatDuration } from '../../src/format.js';
import type { ArrayBound } from '../../src/judgement/arrays/array-shape.js';
import type { WriteBound } from '../../src/judgement/arrays/write-bound.js';

/** What bounds an array, as half a sentence: "capped at 100". */
export function boundText({ lengths, siblings }: ArrayProfile, bound: ArrayBound, writes: WriteBound | null): string {
  switch (bound) {
    case 'fixed-length':
      return 'fixed length';
    case 'few-lengths':
      return `${formatCount(lengths.distinct)} different lengths`;
    case 'cap':
      return `capped at ${formatCount(lengths.max)}`;
    case 'write-cap':
      return writes?.kind === 'capped' && writes.at !== null
        ? `recorded writes keep at most ${formatCount(writes.at)}`
        : 'recorded writes stop at a length';
    case 'text':
      return 'the lines of a text, which writes set as a whole';
    case 'narrow-spread':
      return 'lengths hardly differ';
    case 'separate-group':
      return 'the long ones hardly differ in length';
    case 'coordinates':
      return 'coordinates of a shape';
    case 'limit-field':
      return `limited by \`${siblings?.cap}\``;
    case 'period':
      return `all within ${formatDuration(siblings?.period?.milliseconds ?? 0)} of \`${siblings?.period?.field}\``;
    case 'recording':
      return `one recording, as long as \`${siblings?.sameLengthAs}\``;
  }
}
