import { separated } from '../findings/further-reasons.js';
import { formatCount, plural } from '../format.js';
import { STATE_NAMES, stateCounts } from './collection-state.js';
import type { Report } from './report.js';
import { failuresOf } from './run-failure.js';
import type { Fact, Limits, Section } from './section.js';
import { listed } from './text-layout.js';

/** The enabled checks that found nothing, by id. */
export interface FineChecks {
  readonly inFull: readonly string[];
  readonly inPart: readonly string[];
}

/** The checks that judged something and found nothing; suppressed findings count as found, and known ones that a search found. */
export function fineChecks(report: Report): FineChecks {
  const { checks = [], findings, stillThere = [], skipped, leftOut } = report;
  const own = [...findings.flatMap(separated), ...stillThere].map(({ check }) => check);
  const found = new Set([...own, ...(leftOut?.checks ?? [])]);
  const cutShort = new Set(skipped.map(({ check }) => check));
  const fine = checks.filter(({ check, judged }) => judged > 0 && !found.has(check)).map(({ check }) => check);
  // Not every check has an entry for the collections that a run which ended early did not reach.
  const isCutShort = failuresOf(report).some(({ reason }) => reason !== 'fault');
  const isInPart = (check: string) => isCutShort || cutShort.has(check) || cutShort.has('*');
  return { inFull: fine.filter((check) => !isInPart(check)), inPart: fine.filter(isInPart) };
}

/** How collections and checks fare, what is fine among them. */
export function scorecardSection(report: Report, { names }: Limits): Section {
  const { inFull, inPart } = fineChecks(report);
  const checksText = (checks: readonly string[], what: string) =>
    checks.length === 0 ? [] : [`${plural(checks.length, 'check')} ${what}: ${listed(checks, names)}`];
  const states = stateCounts(report).map(({ state, count }) => `${formatCount(count)} ${STATE_NAMES[state]}`);
  const facts: readonly Fact[] = [
    { label: 'collections', texts: states, short: true },
    { label: 'fine', texts: checksText(inFull, 'found nothing'), short: false },
    { label: 'incomplete', texts: checksText(inPart, 'found nothing, but could not judge everything'), short: false },
  ];
  const known = facts.filter(({ texts }) => texts.length > 0);
  return { id: 'scorecard', heading: 'Scorecard', count: known.length, facts: known };
}
