import type { Finding } from '../finding.js';
import { evidenceFigures } from './evidence-figures.js';
import { painter, type Paint } from './paint.js';
import { shownSteps, stepNumber } from './remedy-steps.js';
import { indented } from './text-layout.js';

/** Indentation of a block. Columns. */
const BLOCK_INDENT = 4;
/** Of a command, if no terminal sets the width; with its indentation, a page of 80. Columns. */
export const COMMAND_WIDTH = 76;

/** For texts that are not coloured. */
export const PLAIN: Paint = painter(false);

/** Where a finding is: "shop.threads posts", or the namespace alone. */
export function placeOf({ namespace, path }: Pick<Finding, 'namespace' | 'path'>): string {
  return path === null ? namespace : `${namespace} ${path}`;
}

/** What is wrong and where, as a headline: "Unbounded array: shop.threads posts". */
export function headlineOf(finding: Pick<Finding, 'title' | 'namespace' | 'path'>): string {
  return `${finding.title}: ${placeOf(finding)}`;
}

/** The evidence of a finding as one line: source, window, figures. */
export function evidenceTextOf({ evidence }: Finding): string {
  const figures = evidenceFigures(evidence, PLAIN).join(', ');
  return `${evidence.source}, ${evidence.window}${figures === '' ? '' : `: ${figures}`}`;
}

/** What stands behind the message of a finding, as plain lines: evidence, remedy, where to read more. */
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
