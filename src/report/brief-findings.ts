import type { Finding } from '../finding.js';
import { formatCount } from '../format.js';
import type { ShownFinding } from './alike-findings.js';
import { alikeLines, headingLines, reasonLines } from './finding-details.js';
import type { Paint } from './paint.js';
import { shownSteps } from './remedy-steps.js';
import { indented, labelled, wrapped } from './text-layout.js';

/** Findings that are shown in full, the worst first: what fits into a person's evening. The others are shown in brief. */
export const MOST_IN_FULL = 5;
/** Of the others, those that are shown in brief. Who has more findings fixes these first: the overview lists the rest. */
const MOST_IN_BRIEF = 12;
const INDENT = 2;
const LABEL_WIDTH = 10;
/** Longer lines are hard to read. Columns. */
const PROSE_WIDTH = 110;

/** Each finding with what is wrong and the first step of its remedy, of an info the first two sentences; then how to get the rest. */
export function briefLines(shown: readonly ShownFinding[], width: number, paint: Paint): string[] {
  if (shown.length === 0) return [];
  const column = Math.min(PROSE_WIDTH, width - INDENT);
  const listed = shown.length - MOST_IN_BRIEF;
  const closing = [
    ...(listed > 0 ? [`${formatCount(listed)} more in the list above: --format compact prints a line for each`] : []),
    'Every step, command and figure: --verbose, or --format html=report.html',
    'About a check: mongolint explain CHECK',
  ];
  return [
    ...shown.slice(0, MOST_IN_BRIEF).flatMap((each) => [...linesOf(each, column, width, paint), '']),
    ...closing.flatMap((text) => wrapped(paint('aside', text), width)),
  ];
}

function linesOf({ finding, alike }: ShownFinding, column: number, width: number, paint: Paint): string[] {
  return [
    ...headingLines(finding, width, paint, { withNamespace: true }),
    ...indented(
      [
        ...wrapped(finding.severity === 'info' ? beginningOf(finding.message) : finding.message, column),
        ...reasonLines(finding, column, paint),
        ...(finding.severity === 'info' ? [] : firstStepLines(finding, column, paint)),
        ...alikeLines(alike, width - INDENT, paint),
      ],
      INDENT,
    ),
  ];
}

/** Its first two sentences. A point within a name or a figure ends none. */
function beginningOf(message: string): string {
  return /^(?:.+?\.\s+(?=[A-Z`{])){2}/s.exec(message)?.[0].trimEnd() ?? message;
}

function firstStepLines({ remedy }: Finding, width: number, paint: Paint): string[] {
  const [first, ...others] = shownSteps(remedy);
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` (step 1 of ${formatCount(others.length + 1)})`;
  const lines = wrapped(`${first.text}${paint('aside', more)}`, width - LABEL_WIDTH);
  return labelled(paint('label', 'remedy'), LABEL_WIDTH, lines);
}
