import { lineText } from '../code/source-line.js';
import type { Confidence, Finding, FindingLocation, Severity } from '../finding.js';
import { standsForPlaces } from '../findings/further-reasons.js';
import { formatBytes, formatCount, formatDuration, formatShare, inWords, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import { type EvidenceFigure, figuresOf } from './figure-text.js';
import { statusText } from './finding-status.js';
import { type ShownStep, shownSteps } from './remedy-steps.js';

const SIGNIFICANT_DIGITS = 2;

/** Clients that a line names; the JSON report has all that are known. */
const MOST_NAMED = 4;

export const MISSING_INDEX = 'missing index';

/** A finding's place. An index that is to be created is called missing. */
export type Place = Pick<Finding, 'namespace' | 'path' | 'pathIs'>;

/** A text and what it is about. */
export interface Note {
  readonly label: string;
  readonly text: string;
}

/** A finding as every format shows it, in words: made once, painted by each. */
export interface FindingView {
  readonly head: {
    readonly severity: Severity;
    readonly check: string;
    readonly title: string;
    readonly place: Place;
    readonly confidence: Confidence;
    readonly owner: Finding['owner'];
    /** How bad it was in the baseline, if that is something else. */
    readonly before: string | null;
    /** Why it is suppressed, or what the baseline says about it; null without either. */
    readonly status: string | null;
  };
  readonly message: string;
  /** Source and window of the figures. */
  readonly evidence: readonly [source: string, window: string];
  readonly figures: readonly EvidenceFigure[];
  /** What it costs, the most telling first; empty if no operation of it was recorded. */
  readonly impact: readonly string[];
  /** Lines of the source that it is about. */
  readonly places: readonly string[];
  readonly steps: readonly ShownStep[];
  /** What else its remedy puts right. */
  readonly notes: readonly Note[];
}

export function findingView(finding: Finding): FindingView {
  const { severity, check, title, confidence, owner, baseline, message, evidence, remedy } = finding;
  const { namespace, path, pathIs } = finding;
  const before = baseline?.severityBefore ?? null;
  return {
    head: {
      severity,
      check,
      title,
      place: { namespace, path, ...(pathIs !== undefined && { pathIs }) },
      confidence,
      owner,
      before: before === severity ? null : before,
      status: statusText(finding),
    },
    message,
    evidence: [evidence.source, evidence.window],
    figures: figuresOf(evidence, saidElsewhere(finding)),
    impact: impactTexts(finding),
    places: locationTexts(finding),
    steps: shownSteps(remedy),
    notes: furtherReasonTexts(finding),
  };
}

/** Figures that the window or the impact says: each is said once. */
function saidElsewhere({ evidence, impact }: Finding): string[] {
  const { executions, shareOfTime, window } = evidence;
  const isCounted = typeof executions === 'number' && window.startsWith(`${plural(executions, 'execution')} in `);
  return [...(isCounted ? ['executions'] : []), ...(shareOfTime === impact?.shareOfTime ? ['shareOfTime'] : [])];
}

/** What is wrong and where: "Unbounded array: shop.threads posts". */
export function headlineOf({ head }: FindingView): string {
  return `${head.title}: ${placeOf(head.place)}`;
}

export function placeOf({ namespace, ...place }: Place): string {
  return [namespace, pathText(place)].filter((part) => part !== null).join(' ');
}

export function pathText({ path, pathIs }: Pick<Place, 'path' | 'pathIs'>): string | null {
  return path === null || pathIs === undefined ? path : `${MISSING_INDEX} ${path}`;
}

/**
 * What is wrong, in words: "shop.orders: find by `status`, sorted by `at`, and 2 similar queries", or else the anti-pattern and
 * its place. A query says more than the fields of an index that it lacks.
 */
export function subjectOf(finding: Finding): string {
  const { title, namespace, path, pathIs } = finding;
  return queryPlaceOf(finding) ?? `${title}: ${pathIs === undefined ? placeOf({ namespace, path }) : namespace}`;
}

/** "shop.orders: find by `status`", and whether it can match at all; null of a finding whose place is a field or a whole collection. */
export function queryPlaceOf({ namespace, path, pathIs, evidence }: Finding): string | null {
  const { queries, absentField } = evidence;
  if (!Array.isArray(queries) || (path !== null && pathIs === undefined)) return null;
  const [first, ...others] = queries;
  if (typeof first !== 'string') return null;
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'similar query', 'similar queries')}`;
  const match = typeof absentField === 'string' ? ` can never match: no \`${absentField}\`` : '';
  return `${namespace}: ${first}${more}${match}`;
}

/** "owner team-shop", or "no owner" if owners are configured and none answers for it; null without owners. */
export function ownerText({ owner }: Pick<Finding, 'owner'>): string | null {
  if (owner === undefined) return null;
  return owner === null ? 'no owner' : `owner ${owner}`;
}

/** Other places of the same in one line; what other checks found, each under a label of its own. */
function furtherReasonTexts(finding: Finding): Note[] {
  const { severity, namespace, furtherReasons = [] } = finding;
  if (standsForPlaces(finding)) {
    const places = furtherReasons.map(({ namespace: own = namespace, ...place }) =>
      placeOf({ namespace: own, ...place }),
    );
    return [{ label: `The same at ${plural(places.length, 'other place')}`, text: places.join(', ') }];
  }
  return furtherReasons.map((reason) => ({
    label: `Also ${reason.check}${reason.namespace === undefined ? '' : ` of ${reason.namespace}`}${reason.severity === severity ? '' : ` (${reason.severity})`}`,
    text: reason.message,
  }));
}

/** "wastes 41 % of what is examined", "about 12,000,000 documents a day examined and not returned". */
function impactTexts({ impact = {}, evidence, ranBy }: Finding): string[] {
  const { source, window = 'window unknown', share = 0, milliseconds = 0, msPerDay, shareOfTime } = impact;
  if (source === undefined) return [];
  const time = shareOfTime === undefined ? '' : ` (${formatShare(shareOfTime)} of all time)`;
  return [
    ...(share === 0 ? [] : [`wastes ${formatShare(share)} of what is examined`]),
    ...wasteTexts(impact),
    ...(msPerDay !== undefined
      ? [`${formatDuration(msPerDay)} a day${time}`]
      : milliseconds > 0
        ? [`${formatDuration(milliseconds)} recorded${time}`]
        : []),
    ...(source === evidence.source && window === evidence.window ? [] : [`${source}: ${window}`]),
    ...ranByTexts(ranBy),
  ];
}

/** "run by checkout (62 %), reports (38 %)" */
function ranByTexts(ranBy: Finding['ranBy'] = []): string[] {
  const named = ranBy.slice(0, MOST_NAMED).map(({ appName, user, driver, addresses = [], share }) => {
    const further = [user, driver, ...addresses].filter((text) => text !== undefined);
    return `${appName ?? 'no appName'} (${[formatShare(share), ...further].join(', ')})`;
  });
  const more = ranBy.length - named.length;
  return named.length === 0
    ? []
    : [`run by ${[...named, ...(more === 0 ? [] : [`${formatCount(more)} more`])].join(', ')}`];
}

function wasteTexts({ documents = 0, documentsPerDay, bytesPerDay }: NonNullable<Finding['impact']>): string[] {
  if (documents === 0) return [];
  if (documentsPerDay === undefined) return [`${plural(documents, 'document')} examined and not returned`];
  const bytes = bytesPerDay === undefined ? '' : ` (${formatBytes(bytesPerDay)})`;
  // Figures of a day are extrapolated.
  const rounded = Number(documentsPerDay.toPrecision(SIGNIFICANT_DIGITS));
  return [`about ${formatCount(rounded)} documents a day examined and not returned${bytes}`];
}

type Located = Pick<Finding, 'locations' | 'furtherPlaces'>;

const WHAT: Readonly<Record<FindingLocation['of'], string>> = {
  operation: 'operation',
  join: 'join',
  push: 'adds to it',
  index: 'index',
  schema: 'schema',
};

/** "src/orders.ts:42 (join)", "one of src/a.ts:3 and src/b.ts:9 (operation)". Empty if nothing is known of the source. */
function locationTexts({ locations = [], furtherPlaces }: Located): string[] {
  const groups = groupedBy(locations, ({ of, certain }) => `${of} ${String(certain)}`);
  const named = [...groups.values()].map((group) => {
    const [{ of, certain }] = group as [FindingLocation];
    const lines = inWords(group.map(lineText));
    return `${certain || group.length === 1 ? '' : 'one of '}${lines}${certain || group.length > 1 ? '' : ' or another place'} (${WHAT[of]})`;
  });
  if (furtherPlaces === undefined) return named;
  const what = locations.length === 0 ? 'it' : 'others of its operations';
  return [...named, `${plural(furtherPlaces, 'place')} may send ${what}`];
}

/** The line to annotate: the first that is certain; null without such a line. */
export function certainLocation({ locations = [] }: Located): FindingLocation | null {
  return locations.find(({ certain }) => certain) ?? null;
}

/** What sets it apart: how bad it was before, who answers for it, and its line. */
export function asidesOf(finding: Finding): string[] {
  const { head, places } = findingView(finding);
  const texts = [
    head.before === null ? null : `was ${head.before}`,
    ownerText(finding),
    certainLocation(finding) === null ? null : places[0],
  ];
  return texts.filter((text) => text !== null && text !== undefined);
}

/** Lines of the source with their addresses, by a template with `{file}` and `{line}`. Empty without one. */
export function lineLinks({ locations = [] }: Located, template: string | undefined): { text: string; url: string }[] {
  if (template === undefined || !/^https?:/i.test(template)) return [];
  return locations.map((location) => {
    const file = location.file.split('/').map(encodeURIComponent).join('/');
    const url = template.replaceAll('{file}', file).replaceAll('{line}', String(location.line));
    return { text: lineText(location), url };
  });
}
