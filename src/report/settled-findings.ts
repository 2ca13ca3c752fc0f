import type { FixedFinding } from '../finding.js';
import { worstFirst } from '../findings/finding-order.js';
import { statusOf } from './finding-status.js';
import type { Paint } from './paint.js';
import type { MissingKnown } from './missing-known.js';
import type { Report } from './report.js';
import { indented, wrapped } from './text-layout.js';

const INDENT = 2;

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
