import { separated } from '../findings/further-reasons.js';
import { formatCount, plural } from '../format.js';
import { STATE_NAMES, stateCounts } from './collection-state.js';
import type { Paint } from './paint.js';
import type { Report } from './report.js';
import { failuresOf } from './run-failure.js';
import { flowed, labelled, listed, wrapped } from './text-layout.js';

const LABEL_WIDTH = 13;
const SEPARATOR = ' · ';
const SHOWN = 12;

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
  // Of collections that a run which ended early did not come to, not every check has an entry of its own.
  const isCutShort = failuresOf(report).some(({ reason }) => reason !== 'fault');
  const isInPart = (check: string) => isCutShort || cutShort.has(check) || cutShort.has('*');
  return { inFull: fine.filter((check) => !isInPart(check)), inPart: fine.filter(isInPart) };
}

/** How collections and checks fare, what is fine among them. Without `all`, long lists of names are cut and counted. */
export function scorecardFacts(report: Report, { all }: { readonly all: boolean }): ReportFact[] {
  const { inFull, inPart } = fineChecks(report);
  const facts: readonly ReportFact[] = [
    { label: 'collections', texts: stateTexts(report), short: true },
    { label: 'fine', texts: checksText(inFull, 'found nothing', all), short: false },
    {
      label: 'incomplete',
      texts: checksText(inPart, 'found nothing, but could not judge everything', all),
      short: false,
    },
  ];
  return facts.filter(({ texts }) => texts.length > 0);
}

function stateTexts(report: Report): string[] {
  return stateCounts(report).map(({ state, count }) => `${formatCount(count)} ${STATE_NAMES[state]}`);
}

function checksText(checks: readonly string[], what: string, all: boolean): string[] {
  if (checks.length === 0) return [];
  return [`${plural(checks.length, 'check')} ${what}: ${listed(checks, all ? checks.length : SHOWN)}`];
}

export interface ReportFact {
  readonly label: string;
  readonly texts: readonly string[];
  /** True if the texts follow one another on a line; otherwise each is a sentence of its own. */
  readonly short: boolean;
}

export function factLines(facts: readonly ReportFact[], width: number, paint: Paint): string[] {
  const column = width - LABEL_WIDTH;
  return facts.flatMap(({ label, texts, short }) => {
    const lines = short ? flowed(texts, SEPARATOR, column) : texts.flatMap((text) => wrapped(text, column));
    return labelled(paint('label', label), LABEL_WIDTH, lines);
  });
}
