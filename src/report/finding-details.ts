import type { Finding } from '../finding.js';
import type { NamespaceFindings } from '../findings/finding-order.js';
import { formatBytes, plural } from '../format.js';
import { findingView, type FindingView, ownerText, pathText } from './finding-view.js';
import { indented } from './narrow-text.js';
import type { Paint } from './paint.js';
import { histogramLines } from './plain-table.js';
import { adviceOf, type CodeBlock, stepNumber } from './remedy-steps.js';
import type { ReportedCollection } from './reported-collection.js';
import { flowed, labelled, textWidth, wrapped } from './text-layout.js';

const INDENT = 2;
const LABEL_WIDTH = 10;
/** Longer lines are hard to read. Columns. */
const PROSE_WIDTH = 96;
const SEPARATOR = ' · ';
/** A remedy of so many lines is not repeated for another collection. */
const REPEATED_LINES = 3;

/**
 * Findings in full, the namespace above them. What was advised before is named, not repeated.
 *
 * @param advised the first finding with each advice, by {@link adviceKey}
 */
export function namespaceLines(
  { namespace, findings }: NamespaceFindings,
  advised: ReadonlyMap<string, Finding>,
  collection: ReportedCollection | undefined,
  width: number,
  paint: Paint,
): string[] {
  const facts = collection === undefined ? [] : factsOf(collection).map((fact) => paint('aside', fact));
  return [
    ...flowed([paint('heading', namespace), ...facts], SEPARATOR, width),
    paint('aside', '─'.repeat(width)),
    ...findings.flatMap((finding, index) => {
      const above = findings.slice(0, index).filter((other) => other.path === finding.path);
      return ['', ...findingLines(finding, above, advised.get(adviceKey(finding)), width, paint)];
    }),
  ];
}

/** The first finding with each advice, by check and advice. */
export function firstAdvised(findings: readonly Finding[]): ReadonlyMap<string, Finding> {
  return new Map(findings.toReversed().map((finding) => [adviceKey(finding), finding]));
}

function adviceKey({ check, remedy }: Finding): string {
  return JSON.stringify([check, adviceOf(remedy)]);
}

function factsOf({ documents, averageDocumentSize, size }: ReportedCollection): string[] {
  if (documents === 0) return [plural(documents, 'document')];
  return [
    ...(documents === null ? [] : [plural(documents, 'document')]),
    ...(averageDocumentSize === null ? [] : [`${formatBytes(averageDocumentSize)} on average`]),
    ...(size === null ? [] : [formatBytes(size)]),
  ];
}

/** @param above of the same path @param first with the same advice of the same check */
function findingLines(
  finding: Finding,
  above: readonly Finding[],
  first: Finding | undefined,
  width: number,
  paint: Paint,
): string[] {
  const body = width - INDENT;
  const column = Math.min(PROSE_WIDTH, body);
  const view = findingView(finding);
  const rows = (label: string, lines: readonly string[]) => labelled(paint('label', label), LABEL_WIDTH, lines);
  const { distribution } = finding.evidence;
  const room = column - LABEL_WIDTH;
  const evidence = [
    [
      ...wrapped(view.evidence.join(': '), room),
      ...flowed(
        view.figures.map(({ label, value }) => `${paint('label', label)} ${paint('figure', value)}`),
        SEPARATOR,
        room,
      ),
    ],
    distribution === undefined ? [] : histogramLines(distribution, room, paint),
    flowed(view.impact, SEPARATOR, room),
  ];
  const parts = [
    wrapped(view.message, column),
    ...view.notes.map(({ label, text }) => wrapped(`${paint('label', label)}: ${text}`, column)),
    rows('evidence', spaced(evidence)),
    rows('source', flowed(view.places, SEPARATOR, body - LABEL_WIDTH)),
    remedyLines(view, repeatedFrom(finding, view, above, first, room), column, body, paint),
  ];
  const more = rows('more', [paint('aside', `mongolint explain ${finding.check}`)]);
  const hasBlocks = view.steps.some(({ blocks }) => blocks.length > 0);
  return [
    ...headingLines(view, width, paint),
    ...indented(hasBlocks ? spaced([...parts, more]) : [...spaced(parts), ...more], INDENT),
  ];
}

/** With an empty line between what is not empty. */
function spaced(parts: readonly (readonly string[])[]): string[] {
  return parts.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

/** Severity, check, path and confidence: the namespace stands above. */
function headingLines({ head }: FindingView, width: number, paint: Paint): string[] {
  const { severity, check, confidence, before } = head;
  const names = [check, pathText(head.place)].filter((part) => part !== null).map((part) => paint('name', part));
  const asides = [`${confidence} confidence`, before === null ? null : `was ${before}`, ownerText(head)];
  const [first = '', ...rest] = [
    ...names,
    ...asides.filter((aside) => aside !== null).map((aside) => paint('aside', aside)),
  ];
  return flowed([`${paint(severity, severity.toUpperCase())}  ${first}`, ...rest], SEPARATOR, width);
}

/** What names a remedy above, and whether the commands are the same too; null if this one is shown in full. */
function repeatedFrom(
  { namespace, remedy }: Finding,
  { steps }: FindingView,
  above: readonly Finding[],
  first: Finding | undefined,
  width: number,
): { readonly text: string; readonly isWhole: boolean } | null {
  const isWhole = (other: Finding) => JSON.stringify(other.remedy.steps) === JSON.stringify(remedy.steps);
  const ofPath = above.find((other) => adviceOf(other.remedy) === adviceOf(remedy));
  if (ofPath !== undefined) return { text: `as above, under ${ofPath.check}`, isWhole: isWhole(ofPath) };
  if (first === undefined || first.namespace === namespace) return null;
  const isShort = steps.flatMap(({ text }) => wrapped(text, width)).length < REPEATED_LINES;
  return isShort ? null : { text: `as above, for ${first.namespace}`, isWhole: isWhole(first) };
}

/** What to do, step by step, with each command in a block of its own. */
function remedyLines(
  { steps }: FindingView,
  repeated: ReturnType<typeof repeatedFrom>,
  column: number,
  body: number,
  paint: Paint,
): string[] {
  const label = paint('label', 'remedy');
  if (repeated !== null) {
    const blocks = repeated.isWhole ? [] : steps.flatMap((step) => step.blocks);
    const lines = wrapped(paint('aside', repeated.text), column - LABEL_WIDTH);
    return [...labelled(label, LABEL_WIDTH, lines), ...blockLines(blocks, LABEL_WIDTH, body, paint)];
  }
  const numberWidth = stepNumber(steps.length - 1, steps).length;
  const indent = LABEL_WIDTH + numberWidth;
  return steps.flatMap(({ text, blocks }, index) => [
    ...((steps[index - 1]?.blocks.length ?? 0) > 0 ? [''] : []),
    ...labelled(
      index === 0 ? label : '',
      LABEL_WIDTH,
      labelled(stepNumber(index, steps), numberWidth, wrapped(text, column - indent)),
    ),
    ...blockLines(blocks, indent, body, paint),
  ]);
}

/** A block that is too wide for its place begins further to the left. */
function blockLines(blocks: readonly CodeBlock[], indent: number, body: number, paint: Paint): string[] {
  return blocks.flatMap((block) => {
    const lines = block.lines(body - indent);
    const fits = lines.every((line) => indent + textWidth(line) <= body);
    const painted = lines.map((line) => paint('command', line));
    return ['', ...indented(painted, fits ? indent : INDENT)];
  });
}
