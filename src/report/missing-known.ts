import type { FixedFinding } from '../finding.js';
import { worstFirst } from '../findings/finding-order.js';
import { statusOf } from './finding-status.js';
import type { Paint } from './paint.js';
import type { Report } from './report.js';
import { indented, wrapped } from './text-layout.js';

const INDENT = 2;

/** The findings of the baseline that a run did not show again, by what became of them. */
export interface MissingKnown {
  readonly id: 'fixed' | 'gone' | 'still-there' | 'not-seen';
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
    { id: 'fixed', heading: 'Fixed since the baseline', meaning: 'Fixed since the baseline.', findings: fixed },
    {
      id: 'gone',
      heading: 'Gone with their collections',
      meaning: 'Gone: the collection no longer exists.',
      findings: gone,
    },
    {
      id: 'still-there',
      heading: 'Still there, found directly',
      meaning: 'Still there: the sample missed it, and a direct search found it. It stays in the baseline.',
      findings: stillThere,
    },
    {
      id: 'not-seen',
      heading: 'Not seen this time',
      meaning:
        'Not seen this time: another sample, or a shorter record of operations, may have missed it. It stays in the baseline.',
      findings: notSeen,
    },
  ];
}

/** The findings that are suppressed, each with why and until when. */
export function suppressedLines({ findings }: Report, width: number, paint: Paint): string[] {
  return worstFirst(findings).flatMap((finding) => {
    if (finding.suppressed === undefined) return [];
    const { by, reason, expires, owner } = finding.suppressed;
    const where = owner === undefined ? by : `${by}, ${owner}`;
    const why = `${reason} (${where}, ${expires === null ? 'no expiry' : `until ${expires}`})`;
    const lines = [...nameLines(finding, width), ...indented(wrapped(why, width - INDENT), INDENT)];
    return lines.map((line) => paint('aside', line));
  });
}

/** The findings that the baseline holds, a line each: they are not news. */
export function knownLines({ findings }: Report, width: number, paint: Paint): string[] {
  const known = worstFirst(findings).filter((finding) => statusOf(finding) === 'known');
  return known.flatMap((finding) => nameLines(finding, width)).map((line) => paint('aside', line));
}

/** Known findings that are no longer there, or were not seen. */
export function missingLines({ id, findings }: MissingKnown, width: number, paint: Paint): string[] {
  const style = id === 'fixed' ? 'good' : 'aside';
  return findings.flatMap((finding) => nameLines(finding, width)).map((line) => paint(style, line));
}

function nameLines({ severity, check, namespace, path }: Omit<FixedFinding, 'fingerprint'>, width: number): string[] {
  return wrapped([severity, check, namespace, path].filter((part) => part !== null).join(' · '), width);
}
