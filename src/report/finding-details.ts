import type { Finding } from '../finding.js';
import { formatBytes, plural } from '../format.js';
import { evidenceFigures } from './evidence-figures.js';
import type { NamespaceFindings } from '../findings/finding-order.js';
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

/** From so many lines on, a remedy that stands above for another collection is only referred to. */
const REPEATED_LINES = 3;

/**
 * The findings of one namespace in full: what, how bad, on which figures, and what to do. Names come from data.
 *
 * @param advised where each remedy stands first, as of {@link firstAdvised}
 */
export function namespaceLines(
  { namespace, findings }: NamespaceFindings,
  advised: ReadonlyMap<string, string>,
  collection: ReportedCollection | undefined,
  width: number,
  paint: Paint,
): string[] {
  const facts = collection === undefined ? [] : factsOf(collection).map((fact) => paint('aside', fact));
  return [
    ...flowed([paint('heading', namespace), ...facts], SEPARATOR, width),
    paint('aside', '─'.repeat(width)),
    ...findings.flatMap((finding, index) => [
      '',
      ...findingLines(finding, saidBefore(finding, findings.slice(0, index), advised), width, paint),
    ]),
  ];
}

/** The namespace under which each check gives a remedy first. */
export function firstAdvised(groups: readonly NamespaceFindings[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const { namespace, findings } of groups) {
    for (const finding of findings) if (!first.has(adviceKey(finding))) first.set(adviceKey(finding), namespace);
  }
  return first;
}

function adviceKey({ check, remedy }: Finding): string {
  return JSON.stringify([check, remedy.text]);
}

/** Which findings above, of the same path, show the same distribution and advise the same, and for which namespace the same is advised first. */
interface SaidBefore {
  readonly distribution: Finding | undefined;
  readonly remedy: Finding | undefined;
  readonly adviceElsewhere: string | undefined;
}

function saidBefore(finding: Finding, above: readonly Finding[], advised: ReadonlyMap<string, string>): SaidBefore {
  const { namespace, path, evidence, remedy } = finding;
  const first = advised.get(adviceKey(finding));
  const ofPath = above.filter((other) => other.path === path);
  const bars = JSON.stringify(evidence.distribution);
  return {
    distribution:
      bars === undefined ? undefined : ofPath.find((other) => JSON.stringify(other.evidence.distribution) === bars),
    remedy: ofPath.find((other) => other.remedy.text === remedy.text),
    adviceElsewhere: first === namespace ? undefined : first,
  };
}

function factsOf({ documents, averageDocumentSize, size }: ReportedCollection): string[] {
  if (documents === 0) return [plural(documents, 'document')];
  return [
    ...(documents === null ? [] : [plural(documents, 'document')]),
    ...(averageDocumentSize === null ? [] : [`${formatBytes(averageDocumentSize)} on average`]),
    ...(size === null ? [] : [formatBytes(size)]),
  ];
}

function findingLines(finding: Finding, before: SaidBefore, width: number, paint: Paint): string[] {
  const body = width - INDENT;
  const wide = width >= SIDE_BY_SIDE_WIDTH;
  const column = Math.min(PROSE_WIDTH, wide ? Math.floor((body - SIDE_GAP) / 2) : body);
  const message = wrapped(finding.message, column);
  const remedy = remedyLines(finding, before, column, paint);
  // Never next to something else: who selects a command with the mouse selects whole lines.
  const commands = [...commandLines(finding, body, paint), ...explainLines(finding, paint)];
  const lines = wide
    ? sideBySide(
        [...message, '', ...remedy],
        evidenceLines(finding, before, body - column - SIDE_GAP, paint),
        column,
        SIDE_GAP,
      )
    : [...message, '', ...evidenceLines(finding, before, column, paint), '', ...remedy];
  return [...headingLines(finding, width, paint), ...indented([...lines, ...commands], INDENT)];
}

function headingLines({ severity, check, path, confidence, baseline }: Finding, width: number, paint: Paint): string[] {
  const subject = [check, path].filter((part) => part !== null).map((part) => paint('name', part));
  const before = baseline?.severityBefore ?? null;
  const asides = [`${confidence} confidence`, ...(before === null ? [] : [`${before} in the baseline`])];
  const [first = '', ...rest] = [...subject, ...asides.map((aside) => paint('aside', aside))];
  return flowed([`${paint(severity, severity.toUpperCase())}  ${first}`, ...rest], SEPARATOR, width);
}

function evidenceLines({ evidence }: Finding, before: SaidBefore, width: number, paint: Paint): string[] {
  const column = width - LABEL_WIDTH;
  const bars =
    evidence.distribution === undefined
      ? []
      : before.distribution === undefined
        ? histogramLines(evidence.distribution, column, paint)
        : asAbove('distribution as', before.distribution, paint);
  return labelled(paint('label', 'evidence'), LABEL_WIDTH, [
    ...wrapped(`${evidence.source}: ${evidence.window}`, column),
    ...flowed(evidenceFigures(evidence, paint), SEPARATOR, column),
    ...(bars.length === 0 ? [] : ['', ...bars]),
  ]);
}

function remedyLines({ remedy }: Finding, before: SaidBefore, width: number, paint: Paint): string[] {
  return labelled(paint('label', 'remedy'), LABEL_WIDTH, remedyText(remedy, before, width - LABEL_WIDTH, paint));
}

function remedyText({ text }: Finding['remedy'], before: SaidBefore, width: number, paint: Paint): string[] {
  if (before.remedy !== undefined) return asAbove('as', before.remedy, paint);
  const lines = wrapped(text, width);
  if (before.adviceElsewhere === undefined || lines.length < REPEATED_LINES) return lines;
  return wrapped(paint('aside', `as above, for ${before.adviceElsewhere}`), width);
}

function asAbove(what: string, { check }: Finding, paint: Paint): string[] {
  return [paint('aside', `${what} above, under ${check}`)];
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
