import type { Finding } from '../finding.js';
import { standsForPlaces } from '../findings/further-reasons.js';
import { formatBytes, formatCount, formatDuration, formatShare, plural } from '../format.js';
import { evidenceFigures } from './evidence-figures.js';
import { locationTexts } from './finding-location.js';
import { type Paint, painter } from './paint.js';
import { shownSteps, stepNumber } from './remedy-steps.js';
import { indented } from './text-layout.js';

const SIGNIFICANT_DIGITS = 2;

/** Clients that a line names; the JSON report has all that are known. */
const MOST_NAMED = 4;

const BLOCK_INDENT = 4;

/** If no terminal sets the width; with the indentation, a page of 80 columns. */
export const COMMAND_WIDTH = 76;

export const PLAIN: Paint = painter(false);

/** A finding's place. An index that is to be created is called missing. */
export type Place = Pick<Finding, 'namespace' | 'path' | 'pathIs'>;

export function placeOf({ namespace, ...place }: Place): string {
  return [namespace, pathText(place)].filter((part) => part !== null).join(' ');
}

export function pathText({ path, pathIs }: Pick<Place, 'path' | 'pathIs'>): string | null {
  return path === null || pathIs === undefined ? path : `${MISSING_INDEX} ${path}`;
}

export const MISSING_INDEX = 'missing index';

/** What is wrong and where, as a headline: "Unbounded array: shop.threads posts". */
export function headlineOf(finding: Pick<Finding, 'title'> & Place): string {
  return `${finding.title}: ${placeOf(finding)}`;
}

/** "owner team-shop", or "no owner" if owners are configured and none answers for it; null without owners. */
export function ownerText({ owner }: Pick<Finding, 'owner'>): string | null {
  if (owner === undefined) return null;
  return owner === null ? 'no owner' : `owner ${owner}`;
}

export function evidenceTextOf({ evidence }: Finding): string {
  const figures = evidenceFigures(evidence, PLAIN).join(', ');
  return `${evidence.source}, ${evidence.window}${figures === '' ? '' : `: ${figures}`}`;
}

/** What follows the message of a finding. */
export function detailLinesOf(finding: Finding): string[] {
  const impact = impactTexts(finding);
  return [
    `Evidence: ${evidenceTextOf(finding)}`,
    ...(impact.length === 0 ? [] : [`Impact: ${impact.join(', ')}`]),
    ...sourceLines(finding),
    `Confidence: ${finding.confidence}`,
    ...(finding.owner === undefined ? [] : [`Owner: ${finding.owner ?? 'none'}`]),
    ...furtherReasonTexts(finding).map(({ label, text }) => `${label}: ${text}`),
    ...remedyLinesOf(finding),
    `More: mongolint explain ${finding.check}`,
  ];
}

/** The lines of the source that it is about, as one line. */
export function sourceLines(finding: Finding): string[] {
  const texts = locationTexts(finding);
  return texts.length === 0 ? [] : [`Source: ${texts.join('; ')}`];
}

/** What else the remedy puts right, each under a label of its own; other places of the same in one line. */
export function furtherReasonTexts(finding: Finding): { label: string; text: string }[] {
  const { severity, furtherReasons = [] } = finding;
  if (standsForPlaces(finding)) {
    const places = furtherReasons.map(({ namespace = finding.namespace, ...place }) =>
      placeOf({ namespace, ...place }),
    );
    return [{ label: `The same at ${plural(places.length, 'other place')}`, text: places.join(', ') }];
  }
  return furtherReasons.map((reason) => ({
    label: `Also ${reason.check}${reason.severity === severity ? '' : ` (${reason.severity})`}`,
    text: reason.message,
  }));
}

/** The steps of the remedy as plain lines, each command in a block of its own. */
export function remedyLinesOf({ remedy }: Finding): string[] {
  const steps = shownSteps(remedy);
  const lines = steps.flatMap(({ text, blocks }, index) => [
    steps.length === 1 ? `Remedy: ${text}` : `${stepNumber(index, steps)}${text}`,
    ...blocks.flatMap((block) => indented(block.lines(COMMAND_WIDTH), BLOCK_INDENT)),
  ]);
  return steps.length === 1 ? lines : ['Remedy:', ...lines];
}

/**
 * What a finding costs, the most telling first: "wastes 41 % of what is examined", "about 12,000,000 documents a day
 * examined and not returned". Empty if no operation of it was recorded.
 */
export function impactTexts(finding: Pick<Finding, 'impact' | 'ranBy'>): string[] {
  const { impact = {} } = finding;
  const ranBy = ranByText(finding);
  const { source, window, share, documents, documentsPerDay, bytesPerDay, msPerDay, milliseconds, shareOfTime } =
    impact;
  if (source === undefined) return [];
  const time = shareOfTime === undefined ? '' : ` (${formatShare(shareOfTime)} of all time)`;
  return [
    ...(share === undefined || share === 0 ? [] : [`wastes ${formatShare(share)} of what is examined`]),
    ...wasteTexts(documents, documentsPerDay, bytesPerDay),
    ...(msPerDay === undefined
      ? milliseconds === undefined || milliseconds === 0
        ? []
        : [`${formatDuration(milliseconds)} recorded${time}`]
      : [`${formatDuration(msPerDay)} a day${time}`]),
    `${source}: ${window ?? 'window unknown'}`,
    ...(ranBy === null ? [] : [ranBy]),
  ];
}

/** "run by checkout (62 %), reports (38 %)"; null if no source tells. */
function ranByText({ ranBy = [] }: Pick<Finding, 'ranBy'>): string | null {
  if (ranBy.length === 0) return null;
  const named = ranBy.slice(0, MOST_NAMED).map(({ appName, user, driver, addresses = [], share }) => {
    const further = [...(user === undefined ? [] : [user]), ...(driver === undefined ? [] : [driver]), ...addresses];
    return `${appName ?? 'no appName'} (${[formatShare(share), ...further].join(', ')})`;
  });
  const more = ranBy.length - named.length;
  return `run by ${[...named, ...(more === 0 ? [] : [`${formatCount(more)} more`])].join(', ')}`;
}

function wasteTexts(documents: number | undefined, perDay: number | undefined, bytesPerDay: number | undefined) {
  if (documents === undefined || documents === 0) return [];
  if (perDay === undefined) return [`${plural(documents, 'document')} examined and not returned`];
  const bytes = bytesPerDay === undefined ? '' : ` (${formatBytes(bytesPerDay)})`;
  // Figures of a day are extrapolated.
  const rounded = Number(perDay.toPrecision(SIGNIFICANT_DIGITS));
  return [`about ${formatCount(rounded)} documents a day examined and not returned${bytes}`];
}
