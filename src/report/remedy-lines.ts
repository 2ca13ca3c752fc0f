import type { Finding } from '../finding.js';
import type { Paint } from './paint.js';
import { adviceOf, type CodeBlock, type ShownStep, shownSteps, stepNumber } from './remedy-steps.js';
import { indented, labelled, textWidth, wrapped } from './text-layout.js';

/** A remedy of so many lines is not repeated for another collection. */
const REPEATED_LINES = 3;
/** Of a block that is too wide for its place. Columns. */
const LEAST_INDENT = 2;

/** Where the same has been advised before. */
export interface AdvisedBefore {
  /** The findings above, of the same path. */
  readonly samePath: readonly Finding[];
  /** The first finding with the same advice, if that is of another collection. */
  readonly elsewhere: Finding | undefined;
}

/** Columns of a remedy. */
export interface RemedyWidths {
  readonly label: number;
  /** Of label and text. */
  readonly text: number;
  /** Of label and commands. */
  readonly body: number;
}

/** What to do, step by step, with each command in a block of its own. */
export function remedyLines({ remedy }: Finding, before: AdvisedBefore, widths: RemedyWidths, paint: Paint): string[] {
  const steps = shownSteps(remedy);
  const reference = referenceTo(steps, remedy, before, widths);
  const label = paint('label', 'remedy');
  if (reference !== null) {
    const blocks = reference.repeated ? [] : steps.flatMap((step) => step.blocks);
    const lines = wrapped(paint('aside', reference.text), widths.text - widths.label);
    return [...labelled(label, widths.label, lines), ...blockLines(blocks, widths.label, widths, paint)];
  }
  return stepLines(steps, label, widths, paint);
}

function stepLines(steps: readonly ShownStep[], label: string, widths: RemedyWidths, paint: Paint): string[] {
  const numberWidth = stepNumber(steps.length - 1, steps).length;
  const indent = widths.label + numberWidth;
  return steps.flatMap(({ text, blocks }, index) => [
    ...(index > 0 && (steps[index - 1] as ShownStep).blocks.length > 0 ? [''] : []),
    ...labelled(
      index === 0 ? label : '',
      widths.label,
      labelled(stepNumber(index, steps), numberWidth, wrapped(text, widths.text - indent)),
    ),
    ...blockLines(blocks, indent, widths, paint),
  ]);
}

interface Reference {
  readonly text: string;
  /** True if the commands are the same too. */
  readonly repeated: boolean;
}

/** What refers to a remedy above, if this one needs no second telling. */
function referenceTo(
  steps: readonly ShownStep[],
  remedy: Finding['remedy'],
  { samePath, elsewhere }: AdvisedBefore,
  { label, text }: RemedyWidths,
): Reference | null {
  const isRepeated = (other: Finding) => JSON.stringify(other.remedy.steps) === JSON.stringify(remedy.steps);
  const ofPath = samePath.find((other) => adviceOf(other.remedy) === adviceOf(remedy));
  if (ofPath !== undefined) return { text: `as above, under ${ofPath.check}`, repeated: isRepeated(ofPath) };
  if (elsewhere === undefined) return null;
  const lines = steps.reduce((sum, step) => sum + wrapped(step.text, text - label).length, 0);
  if (lines < REPEATED_LINES) return null;
  return { text: `as above, for ${elsewhere.namespace}`, repeated: isRepeated(elsewhere) };
}

function blockLines(blocks: readonly CodeBlock[], indent: number, { body }: RemedyWidths, paint: Paint): string[] {
  return blocks.flatMap((block) => {
    const lines = block.lines(body - indent);
    const fits = lines.every((line) => indent + textWidth(line) <= body);
    const painted = lines.map((line) => paint('command', line));
    return ['', ...indented(painted, fits ? indent : LEAST_INDENT)];
  });
}

/** The first finding with each advice, by check and advice. */
export function firstAdvised(findings: readonly Finding[]): ReadonlyMap<string, Finding> {
  const first = new Map<string, Finding>();
  for (const finding of findings) if (!first.has(adviceKey(finding))) first.set(adviceKey(finding), finding);
  return first;
}

export function adviceKey({ check, remedy }: Finding): string {
  return JSON.stringify([check, adviceOf(remedy)]);
}
