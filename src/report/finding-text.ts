import type { Finding } from '../finding.js';
import { evidenceFigures } from './evidence-figures.js';
import { impactTexts } from './impact-text.js';
import { type Paint, painter } from './paint.js';
import { shownSteps, stepNumber } from './remedy-steps.js';
import { indented } from './text-layout.js';

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
  return [
    `Evidence: ${evidenceTextOf(finding)}`,
    ...impactLines(finding),
    `Confidence: ${finding.confidence}`,
    ...(finding.owner === undefined ? [] : [`Owner: ${finding.owner ?? 'none'}`]),
    ...furtherReasonTexts(finding).map(({ label, text }) => `${label}: ${text}`),
    ...remedyLinesOf(finding),
    `More: mongolint explain ${finding.check}`,
  ];
}

function impactLines(finding: Finding): string[] {
  const texts = impactTexts(finding);
  return texts.length === 0 ? [] : [`Impact: ${texts.join(', ')}`];
}

/** What else the remedy puts right, each under a label of its own. */
export function furtherReasonTexts({ severity, furtherReasons = [] }: Finding): { label: string; text: string }[] {
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
