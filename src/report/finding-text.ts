import { figureText } from './figure-text.js';
import type { FindingView, Note } from './finding-view.js';
import { indented } from './narrow-text.js';
import { stepNumber } from './remedy-steps.js';

const BLOCK_INDENT = 4;

/** If no terminal sets the width; with the indentation, a page of 80 columns. */
export const COMMAND_WIDTH = 76;

/** Source, window and figures in a line. */
export function evidenceTextOf({ evidence, figures }: Pick<FindingView, 'evidence' | 'figures'>): string {
  const texts = figures.map(figureText);
  return [evidence.join(', '), ...(texts.length === 0 ? [] : [texts.join(', ')])].join(': ');
}

/** What stands between the message and the remedy of a finding, a line each. */
export function findingNotes(view: FindingView): Note[] {
  const { head, impact, places, notes } = view;
  return [
    { label: 'Evidence', text: evidenceTextOf(view) },
    ...(impact.length === 0 ? [] : [{ label: 'Impact', text: impact.join(', ') }]),
    ...(places.length === 0 ? [] : [{ label: 'Source', text: places.join('; ') }]),
    { label: 'Confidence', text: head.confidence },
    ...(head.owner === undefined ? [] : [{ label: 'Owner', text: head.owner ?? 'none' }]),
    ...notes,
  ];
}

/** A finding as plain lines, without its headline; each command stands in a block of its own. */
export function findingLines(view: FindingView): string[] {
  const { head, message, steps } = view;
  const remedy = steps.flatMap(({ text, blocks }, index) => [
    steps.length === 1 ? `Remedy: ${text}` : `${stepNumber(index, steps)}${text}`,
    ...blocks.flatMap((block) => indented(block.lines(COMMAND_WIDTH), BLOCK_INDENT)),
  ]);
  return [
    message,
    ...(head.status === null ? [] : [head.status]),
    ...findingNotes(view).map(({ label, text }) => `${label}: ${text}`),
    ...(steps.length === 1 ? remedy : ['Remedy:', ...remedy]),
    `More: mongolint explain ${head.check}`,
  ];
}
