import type { Finding } from '../../finding.js';
import { conclusionSentences } from '../../report/conclusion.js';
import { driftsOf } from '../../report/drift-text.js';
import { baselineText, isActive, statusOf } from '../../report/finding-status.js';
import { evidenceTextOf } from '../../report/finding-text.js';
import { findingView, placeOf } from '../../report/finding-view.js';
import { PLAIN } from '../../report/paint.js';
import type { Report } from '../../report/report.js';

/** Characters of one answer. Judgement: some 8,000 tokens, a twentieth of what a model can hold. */
export const MOST_CHARACTERS = 24_000;
/** Characters of one text in an answer, such as a validator in a command, if the answer is too long otherwise. */
const MOST_OF_A_TEXT = 2_000;
/** Entries of one list, if the answer is too long otherwise. */
const MOST_OF_A_LIST = 20;

/** Part of a list. */
export interface Page<Item> {
  readonly total: number;
  readonly items: readonly Item[];
  /** Offset of the next page; absent on the last one. */
  readonly next?: number;
}

/** As many of a list, from an offset on, as are asked for and fit into an answer. At least one, if there is one. */
export function pageOfList<Item>(all: readonly Item[], offset: number, limit: number): Page<Item> {
  const items: Item[] = [];
  // Half, as the rest of the answer needs room too.
  let room = MOST_CHARACTERS / 2;
  for (const item of all.slice(offset, offset + limit)) {
    room -= JSON.stringify(item).length;
    if (items.length > 0 && room < 0) break;
    items.push(item);
  }
  const next = offset + items.length;
  return { total: all.length, items, ...(next < all.length && { next }) };
}

/** An answer as JSON. If it is too long, its longest texts and lists are cut off, and say so. */
export function boundedJson(answer: object): string {
  const whole = JSON.stringify(answer);
  if (whole.length <= MOST_CHARACTERS) return whole;
  const cut = JSON.stringify(answer, (_, value: unknown) => {
    if (typeof value === 'string' && value.length > MOST_OF_A_TEXT)
      return `${value.slice(0, MOST_OF_A_TEXT)} … (cut off: ${value.length} characters)`;
    return Array.isArray(value) && value.length > MOST_OF_A_LIST
      ? [...value.slice(0, MOST_OF_A_LIST), `… (cut off: ${value.length} entries)`]
      : value;
  });
  if (cut.length <= MOST_CHARACTERS) return cut;
  return JSON.stringify({ cutOff: `${whole.length} characters`, beginning: whole.slice(0, MOST_CHARACTERS / 2) });
}

/** What a report says as a whole. */
export function summaryOf(report: Report) {
  const { cluster, summary, notices = [], finishedAt } = report;
  const baseline = baselineText(report);
  return {
    conclusion: conclusionSentences(report, PLAIN).join(' '),
    ...(baseline !== null && { baseline }),
    finishedAt,
    server: { topology: cluster.topology, version: cluster.version },
    collections: summary.collections,
    documentsSampled: summary.documentsSampled,
    findings: summary.findings,
    suppressed: summary.suppressed,
    notJudged: report.skipped.length,
    ...(notices.length > 0 && { notices: notices.map(({ text }) => text) }),
  };
}

/** A finding in a line. */
export function lineOfFinding(finding: Finding) {
  const { fingerprint, check, severity, confidence, message } = finding;
  const status = statusOf(finding);
  return { fingerprint, check, severity, confidence, place: placeOf(finding), message, status };
}

/** A finding with what it rests on and what to do about it. */
export function explainedFinding(finding: Finding) {
  const { title, remedy, impact, judgedAt, locations, ranBy, owner, suppressed, furtherReasons = [] } = finding;
  // JSON leaves out what is undefined.
  const ifKnown = { impact, judgedAt, locations, ranBy, owner, suppressed };
  return {
    ...lineOfFinding(finding),
    title,
    evidence: evidenceTextOf(findingView(finding)),
    steps: remedy.steps,
    ...ifKnown,
    ...(furtherReasons.length > 0 && {
      furtherReasons: furtherReasons.map(({ check, severity, message }) => ({ check, severity, message })),
    }),
  };
}

/** What is new, worse, fixed or gone, and what differs. */
export function comparisonOf(report: Report, offset: number, limit: number) {
  const { findings, fixed = [], gone = [], notSeen = [] } = report;
  const drifts = driftsOf(report);
  const before = (known: typeof fixed) =>
    known.map((each) => ({ check: each.check, severity: each.severity, place: placeOf(each) }));
  const changes = [
    ...findings.filter(isActive).map((finding) => ({ change: 'new or worse', ...lineOfFinding(finding) })),
    ...before(fixed).map((each) => ({ change: 'fixed', ...each })),
    ...before(gone).map((each) => ({ change: 'gone', ...each })),
    ...before(notSeen).map((each) => ({ change: 'not seen this time', ...each })),
    ...drifts
      .flatMap(({ differences }) => differences)
      .map(({ subject, namespace, message }) => ({ change: 'differs', subject, namespace, message })),
  ];
  return {
    ...summaryOf(report),
    notCompared: drifts.length === 0 ? null : drifts.flatMap((drift) => drift.notCompared).length,
    changes: pageOfList(changes, offset, limit),
  };
}
