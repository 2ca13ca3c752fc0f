import type { Finding } from '../finding.js';
import { evidenceFigures } from './evidence-figures.js';
import { painter, type Paint } from './paint.js';
import { shownSteps, stepNumber } from './remedy-steps.js';
import { indented } from './text-layout.js';

const BLOCK_INDENT = 4;
/** If no terminal sets the width; with the indentation, a page of 80 columns. */
export const COMMAND_WIDTH = 76;

export const PLAIN: Paint = painter(false);

export function placeOf({ namespace, path }: Pick<Finding, 'namespace' | 'path'>): string {
  return path === null ? namespace : `${namespace} ${path}`;
}

/** What is wrong and where, as a headline: "Unbounded array: shop.threads posts". */
export function headlineOf(finding: Pick<Finding, 'title' | 'namespace' | 'path'>): string {
  return `${finding.title}: ${placeOf(finding)}`;
}

export function evidenceTextOf({ evidence }: Finding): string {
  const figures = evidenceFigures(evidence, PLAIN).join(', ');
  return `${evidence.source}, ${evidence.window}${figures === '' ? '' : `: ${figures}`}`;
}

/** What follows the message of a finding. */
export function detailLinesOf(finding: Finding): string[] {
  return [
    `Evidence: ${evidenceTextOf(finding)}`,
    `Confidence: ${finding.confidence}`,
    ...remedyLinesOf(finding),
    `More: mongolint explain ${finding.check}`,
  ];
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
