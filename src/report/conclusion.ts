import type { Skipped } from '../finding.js';
import { SEVERITIES, type Severity } from '../finding/severity.js';
import { isMain } from '../findings/finding-order.js';
import { formatCount, plural } from '../format.js';
import { driftSentences, driftsOf } from './drift-text.js';
import { baselineText } from './finding-status.js';
import type { Paint } from './paint.js';
import type { Report } from './report.js';
import { failureSentences, failuresOf } from './run-failure.js';
import { partText } from './run-part.js';
import { isCut, namespacesOf } from './skipped.js';

/** The heading of the findings that stand apart, which are of one group. */
export const SAFETY = 'Safety';

/** How much of a cluster a report covers. */
interface Extent {
  readonly inFull: number;
  readonly inPart: number;
  readonly skipped: number;
  /** True if a skipped entry concerns more than one collection. */
  readonly beyondCollections: boolean;
}

/** What was found, in how much of the cluster, and how that compares with the baseline. */
export function conclusion(report: Report, paint: Paint): string {
  const comparison = baselineText(report);
  return [
    ...conclusionSentences(report, paint),
    ...(comparison === null ? [] : [comparison]),
    ...driftsOf(report).flatMap(driftSentences),
  ].join(' ');
}

/** Why the run is no pass, what was found, then of how much that holds. A run with gaps never reads like an all-clear. */
export function conclusionSentences(report: Report, paint: Paint): string[] {
  const first = failureSentences(report).slice(0, 1);
  const further = failuresOf(report).slice(1);
  const failures = [...first, ...further.map(({ detail }) => `Also, ${detail}`)];
  const leftOut = leftOutSentence(report);
  return [
    ...[...failures, ...(report.cautions ?? [])].map((sentence) => paint('caution', sentence)),
    ...judgedSentences(report, paint),
    ...apartSentences(report, paint),
    ...(leftOut === null ? [] : [leftOut]),
    ...(report.part === undefined ? [] : [partSentence(report.part)]),
  ];
}

function partSentence(part: NonNullable<Report['part']>): string {
  const own = part.number === 1 ? 'this one judges' : 'the first one judges';
  return `This is ${partText(part)}: others judge the other collections, and ${own} the checks of the whole cluster.`;
}

/** What --owner kept out of the report. */
function leftOutSentence({ leftOut }: Report): string | null {
  if (leftOut === undefined) return null;
  const { owners, findings, collections } = leftOut;
  const what = `${plural(findings, 'finding')} and ${plural(collections, 'collection')} of other owners`;
  return `Left out by --owner ${owners.join(' --owner ')}: ${what}.`;
}

function judgedSentences(report: Report, paint: Paint): string[] {
  const { suppressed } = report.summary;
  const { main, apart } = severityCounts(report);
  const extent = extentOf(report);
  const stillThere = report.stillThere?.length ?? 0;
  const known = [
    ...(suppressed === 0 ? [] : [`${formatCount(suppressed)} suppressed`]),
    ...(stillThere === 0 ? [] : [`${formatCount(stillThere)} known`]),
  ];
  const beyondKnown = known.length === 0 ? '' : ` beyond the ${known.join(' and the ')}`;
  const gaps =
    report.skipped.length === 0 ? [] : [paint('caution', `Not fully judged: ${skippedText(report, extent)}.`)];
  if (totalOf(main) > 0) {
    return [
      foundSentence(report, paint),
      ...(suppressed === 0 ? [] : [`${plural(suppressed, 'finding is', 'findings are')} suppressed.`]),
      ...gaps,
    ];
  }
  if (failuresOf(report).some(({ reason }) => reason === 'nothing-judged')) return [];
  if (extent.inFull + extent.inPart === 0 && totalOf(apart) > 0) return gaps;
  if (extent.inFull + extent.inPart === 0) return [paint('caution', nothingJudgedText(report))];
  if (report.skipped.length > 0) {
    return [
      paint('caution', `No anti-patterns found in what was judged${beyondKnown}.`),
      paint('caution', `This is not an all-clear: ${skippedText(report, extent)} could not be fully judged.`),
    ];
  }
  return [paint('good', `No anti-patterns found in ${plural(extent.inFull, 'collection')}${beyondKnown}.`)];
}

function extentOf({ collections, skipped }: Report): Extent {
  const skippedNamespaces = new Set(skipped.flatMap(namespacesOf));
  const known = new Set<string | undefined>(collections.map(({ namespace }) => namespace));
  const beyondCollections =
    skipped.some(isBeyondOne) || [...skippedNamespaces].some((namespace) => !known.has(namespace));
  const sampled = collections.filter((collection) => collection.sampled !== null && collection.sampled.documents > 0);
  const inPart = sampled.filter(({ namespace }) => skippedNamespaces.has(namespace)).length;
  return {
    inFull: sampled.length - inPart,
    inPart,
    skipped: collections.filter(({ namespace }) => skippedNamespaces.has(namespace)).length,
    beyondCollections,
  };
}

function isBeyondOne(entry: Skipped): boolean {
  return namespacesOf(entry).length === 0 || isCut(entry);
}

type Counts = Readonly<Record<Severity, number>>;

/** What the summary counts together: the main findings, and those that stand apart. */
export function severityCounts({ summary, findings }: Report): { readonly main: Counts; readonly apart: Counts } {
  const [apart, main] = [{ error: 0, warning: 0, info: 0 }, { ...summary.findings }];
  for (const finding of findings) {
    if (isMain(finding) || finding.suppressed !== undefined) continue;
    apart[finding.severity] += 1;
    main[finding.severity] -= 1;
  }
  return { main, apart };
}

function totalOf({ error, warning, info }: Counts): number {
  return error + warning + info;
}

function foundSentence(report: Report, paint: Paint): string {
  const findings = report.findings.filter((finding) => isMain(finding) && finding.suppressed === undefined);
  return (
    countsText(severityCounts(report).main, paint) + paint('heading', ` ${placeText(findings, report.collections)}.`)
  );
}

function apartSentences(report: Report, paint: Paint): string[] {
  const { apart } = severityCounts(report);
  return totalOf(apart) === 0 ? [] : [`${paint('heading', `${SAFETY}: `)}${countsText(apart, paint)}.`];
}

/** Each part is painted by itself: Node versions differ in how they end one style within another. */
function countsText(counts: Counts, paint: Paint): string {
  return SEVERITIES.filter((severity) => counts[severity] > 0)
    .map((severity) =>
      paint(severity, severity === 'info' ? `${formatCount(counts.info)} info` : plural(counts[severity], severity)),
    )
    .join(paint('heading', ', '));
}

/** A finding about a family of collections, or about the whole cluster, belongs to no single one. */
function placeText(findings: Report['findings'], collections: Report['collections']): string {
  const affected = new Set(findings.map(({ namespace }) => namespace));
  const single = collections.filter(({ namespace }) => affected.has(namespace)).length;
  const all = plural(collections.length, 'collection');
  if (single === affected.size) return `in ${formatCount(single)} of ${all}`;
  return single === 0 ? `across several of ${all}` : `in ${formatCount(single)} of ${all}, and across several of them`;
}

function skippedText({ collections }: Report, { skipped, beyondCollections }: Extent): string {
  if (skipped === 0) return 'parts of the cluster';
  const text = `${formatCount(skipped)} of ${plural(collections.length, 'collection')}`;
  return beyondCollections ? `${text} and some checks of the whole cluster` : text;
}

function nothingJudgedText({ collections, skipped }: Report): string {
  const isUnlisted = skipped.some(({ check }) => check === '*');
  if (collections.length === 0 && !isUnlisted) return 'Nothing was judged: no collections were found.';
  return skipped.length > 0
    ? 'Nothing could be judged: this run says nothing about the cluster.'
    : `Nothing was judged: none of the ${plural(collections.length, 'collection')} holds documents to sample.`;
}
