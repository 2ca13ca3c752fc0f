import type { FixedFinding } from '../finding.js';
import type { Report } from './report.js';

/** The findings of the baseline that a run did not show again, by what became of them. */
export interface MissingKnown {
  readonly id: 'fixed' | 'gone' | 'still-there' | 'not-seen';
  readonly word: string;
  readonly heading: string;
  /** What it means, in a sentence. */
  readonly meaning: string;
  readonly findings: readonly FixedFinding[];
}

export function missingKnown({
  fixed = [],
  gone = [],
  stillThere = [],
  notSeen = [],
}: Report): readonly MissingKnown[] {
  return [
    {
      id: 'fixed',
      word: 'Fixed',
      heading: 'Fixed since the baseline',
      meaning: 'Fixed since the baseline.',
      findings: fixed,
    },
    {
      id: 'gone',
      word: 'Gone',
      heading: 'Gone with their collections',
      meaning: 'Gone: the collection no longer exists.',
      findings: gone,
    },
    {
      id: 'still-there',
      word: 'Still there, found directly',
      heading: 'Still there, found directly',
      meaning: 'Still there: the sample missed it, and a direct search found it. It stays in the baseline.',
      findings: stillThere,
    },
    {
      id: 'not-seen',
      word: 'Not seen this time',
      heading: 'Not seen this time',
      meaning:
        'Not seen this time: another sample, or a shorter record of operations, may have missed it. It stays in the baseline.',
      findings: notSeen,
    },
  ];
}
