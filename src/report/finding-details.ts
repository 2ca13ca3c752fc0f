import type { Finding } from '../findings/finding.js';
import { formatBytes, plural } from '../format.js';
import { evidenceFigures } from './evidence-figures.js';
import type { NamespaceFindings } from './finding-order.js';
import { histogramLines } from './histogram.js';
import type { Paint } from './paint.js';
import { mongoshStatement } from './remedy-commands.js';
import type { ReportedCollection } from './report.js';
import { flowed, indented, labelled, sideBySide, wrapped } from './text-layout.js';

const INDENT = 2;
const LABEL_WIDTH = 10;
/** Longer lines of prose are hard to read. Columns. */
const PROSE_WIDTH = 96;
/** From this width, the evidence stands to the right of the text. Columns. */
const SIDE_BY_SIDE_WIDTH = 140;
const SIDE_GAP = 4;
const SEPARATOR = ' · ';

/** The findings of one namespace in full: what, how bad, on which figures, and what to do. Names come from data. */
export function namespaceLines(
  { namespace, findings }: NamespaceFindings,
  collection: ReportedCollection | undefined,
  width: number,
  paint: Paint,
): string[] {
  const facts = collection === undefined ? [] : factsOf(collection).map((fact) => paint('aside', fact));
  return [
    ...flowed([paint('heading', namespace), ...facts], SEPARATOR, width),
    paint('aside', '─'.repeat(width)),
    ...findings.flatMap((finding) => ['', ...findingLines(finding, width, paint)]),
  ];
}

function factsOf({ documents, averageDocumentSize, size }: ReportedCollection): string[] {
  return [
    ...(documents === null ? [] : [plural(documents, 'document')]),
    ...(averageDocumentSize === null ? [] : [`${formatBytes(averageDocumentSize)} on average`]),
    ...(size === null ? [] : [formatBytes(size)]),
  ];
}

function findingLines(finding: Finding, width: number, paint: Paint): string[] {
  const body = width - INDENT;
  const wide = width >= SIDE_BY_SIDE_WIDTH;
  const column = Math.min(PROSE_WIDTH, wide ? Math.floor((body - SIDE_GAP) / 2) : body);
  const message = wrapped(finding.message, column);
  const remedy = remedyLines(finding, column, paint);
  // Never next to something else: who selects a command with the mouse selects whole lines.
  const commands = [...commandLines(finding, body, paint), ...explainLines(finding, paint)];
  const lines = wide
    ? sideBySide([...message, '', ...remedy], evidenceLines(finding, body - column - SIDE_GAP, paint), column, SIDE_GAP)
    : [...message, '', ...evidenceLines(finding, column, paint), '', ...remedy];
  return [...headingLines(finding, width, paint), ...indented([...lines, ...commands], INDENT)];
}

function headingLines({ severity, check, path, confidence, baseline }: Finding, width: number, paint: Paint): string[] {
  const subject = [check, path].filter((part) => part !== null).map((part) => paint('name', part));
  const before = baseline?.severityBefore ?? null;
  const asides = [`${confidence} confidence`, ...(before === null ? [] : [`${before} in the baseline`])];
  const [first = '', ...rest] = [...subject, ...asides.map((aside) => paint('aside', aside))];
  return flowed([`${paint(severity, severity.toUpperCase())}  ${first}`, ...rest], SEPARATOR, width);
}

function evidenceLines({ evidence }: Finding, width: number, paint: Paint): string[] {
  const column = width - LABEL_WIDTH;
  const bars = evidence.distribution === undefined ? [] : histogramLines(evidence.distribution, column, paint);
  return labelled(paint('label', 'evidence'), LABEL_WIDTH, [
    ...wrapped(`${evidence.source}: ${evidence.window}`, column),
    ...flowed(evidenceFigures(evidence, paint), SEPARATOR, column),
    ...(bars.length === 0 ? [] : ['', ...bars]),
  ]);
}

function remedyLines({ remedy }: Finding, width: number, paint: Paint): string[] {
  return labelled(paint('label', 'remedy'), LABEL_WIDTH, wrapped(remedy.text, width - LABEL_WIDTH));
}

function commandLines({ remedy }: Finding, width: number, paint: Paint): string[] {
  const lines = (remedy.commands ?? []).flatMap((command) => mongoshStatement(command, width - LABEL_WIDTH));
  return labelled(
    paint('label', 'mongosh'),
    LABEL_WIDTH,
    lines.map((line) => paint('command', line)),
  );
}

function explainLines({ check }: Finding, paint: Paint): string[] {
  return labelled(paint('label', 'more'), LABEL_WIDTH, [paint('aside', `mongolint explain ${check}`)]);
}
