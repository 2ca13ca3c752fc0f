import type { Finding } from '../finding.js';
import type { Severity } from '../finding/severity.js';
import { isMain, worstFirst } from '../findings/finding-order.js';
import { formatCount, formatDuration, formatShare, plural } from '../format.js';
import { isActive } from './finding-status.js';
import { asidesOf, subjectOf } from './finding-view.js';
import { type CodeBlock, shownSteps } from './remedy-steps.js';
import { sentencesOf } from './text-layout.js';
import { examinedTexts } from './top-shapes-text.js';

/** What one person does in a day. */
const FIRST = 3;
/** Share of the recorded time below which a remedy ranks by the severity of its finding. Judgement. */
const LEAST_SHARE = 0.01;
/** What a remedy that does not begin with a command counts for: it changes the application, and takes days. Judgement. */
const WITHOUT_COMMAND = 0.5;
/** What a finding weighs that no recording measures: an error as much as an operation that is one by its share. */
const BY_SEVERITY: Readonly<Record<Severity, number>> = { error: 0.25, warning: LEAST_SHARE, info: 0 };

export const DO_FIRST = 'Do first';

/** One of the things to do first, in words. */
export interface FirstThing {
  readonly finding: Finding;
  /** "shop.orders: find by `status`, sorted by `at`, and 2 similar queries", or the anti-pattern and its place. */
  readonly title: string;
  /** What it costs: texts that follow one another, or sentences if nothing of it was recorded. */
  readonly costs: readonly string[];
  /** What sets it apart: how bad it was before, who answers for it, and its line. */
  readonly asides: readonly string[];
  /** What the remedy saves of the recording; null if it is not known. */
  readonly saves: string | null;
  /** What the first step says; null if its commands say it all. */
  readonly step: string | null;
  /** The commands of the first step. */
  readonly commands: readonly CodeBlock[];
}

/**
 * What to do first of the findings that count: what saves the most time, then what saves the most of what is examined.
 * What no recording measures ranks by its severity. What two findings save is counted once. What stands apart is never among it.
 */
export function doFirst(findings: readonly Finding[]): readonly FirstThing[] {
  const active = worstFirst(findings.filter((finding) => isActive(finding) && isMain(finding)));
  const source = sourceOfMost(active);
  const left = new Set(active);
  const counted = new Set<string>();
  const first: Finding[] = [];
  while (first.length < FIRST && left.size > 0) {
    const [next] = [...left]
      .map((finding) => ({ finding, ...rankOf(finding, source, counted) }))
      .toSorted((one, other) => other.weight - one.weight || other.examined - one.examined);
    if (next === undefined || (next.weight === 0 && first.length > 0)) break;
    first.push(next.finding);
    left.delete(next.finding);
    for (const { id } of next.finding.impact?.operations ?? []) counted.add(id);
  }
  return first.map(thingOf);
}

function rankOf({ severity, impact, remedy }: Finding, source: string | null, counted: ReadonlySet<string>) {
  const ofSource = impact?.source === source ? (impact?.operations ?? []) : [];
  const own = ofSource.filter(({ id }) => !counted.has(id));
  const examined = own.reduce((sum, { share = 0 }) => sum + share, 0);
  // A source without times tells what is examined.
  const saved = own.reduce((sum, { share = 0, shareOfTimeSaved = share }) => sum + shareOfTimeSaved, 0);
  const isMeasured = saved >= LEAST_SHARE && severity !== 'info';
  const weight = remedy.steps[0]?.command !== undefined ? saved : WITHOUT_COMMAND * saved;
  return { weight: isMeasured ? Math.max(weight, LEAST_SHARE) : BY_SEVERITY[severity], examined };
}

/** Figures of different sources are not compared: the one with the most waste is. */
function sourceOfMost(findings: readonly Finding[]): string | null {
  const documents = new Map<string, number>();
  for (const { impact } of findings) {
    if (impact?.source === undefined) continue;
    documents.set(impact.source, (documents.get(impact.source) ?? 0) + (impact.documents ?? 0));
  }
  const [most] = [...documents].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? null;
}

function thingOf(finding: Finding): FirstThing {
  const [first] = shownSteps(finding.remedy);
  return {
    finding,
    title: subjectOf(finding),
    costs: costsOf(finding),
    asides: asidesOf(finding),
    saves: savedText(finding),
    step: createsOwnIndex(finding) ? null : (sentencesOf(first?.text ?? '')[0] ?? null),
    commands: (first?.blocks ?? []).filter(({ isCommand }) => isCommand),
  };
}

/** What an index on the finding's own collection is for, its query says. */
function createsOwnIndex({ namespace, remedy: { steps } }: Finding): boolean {
  const { db, command: { createIndexes } = {} } = steps[0]?.command ?? {};
  return createIndexes !== undefined && `${String(db)}.${String(createIndexes)}` === namespace;
}

/** "saves about 31 % of time, 61 % examined"; null if that is little. */
function savedText({ impact }: Finding): string | null {
  const { shareOfTimeSaved: time = 0, share: examined = 0 } = impact ?? {};
  const texts = [
    ...(time < LEAST_SHARE ? [] : [`${formatShare(time)} of time`]),
    ...(examined < LEAST_SHARE ? [] : [`${formatShare(examined)} examined`]),
  ];
  return texts.length === 0 ? null : `saves about ${texts.join(', ')}`;
}

function costsOf({ evidence, message }: Finding): string[] {
  const { documentsExamined, keysExamined, documentsReturned, executions, averageMs } = evidence;
  const documents = typeof documentsExamined === 'number' ? documentsExamined : 0;
  const keys = typeof keysExamined === 'number' ? keysExamined : 0;
  if (documents + keys === 0 || typeof executions !== 'number') return [sentencesOf(message).slice(0, 2).join(' ')];
  const [examined = ''] = examinedTexts(documents, keys);
  const result = typeof documentsReturned === 'number' ? ` to return ${formatCount(documentsReturned)}` : '';
  const time = typeof averageMs === 'number' ? ` of ${formatDuration(averageMs)}` : '';
  return [`${plural(executions, 'execution')}${time}`, `each reads ${examined}${result}`];
}
