import { explains, placesOf } from '../../code/explains.js';
import { meantNamespace, pipelineIn } from '../../code/meant-namespace.js';
import type { CodeShape, Place } from '../../code/place.js';
import { distinctLines } from '../../code/source-line.js';
import type { UnderstoodCode } from '../../code/understood-code.js';
import { formatCount, inWords, plural } from '../../format.js';
import type { BegunJudgement, JudgedReport } from '../../lint/judge.js';
import { databaseOf } from '../../namespace.js';
import { mongoshStatement } from '../../report/remedy-steps.js';
import { reasonText, shapeFigures, sourceText } from '../../report/top-shapes-text.js';
import { terminalText } from '../../text/terminal-text.js';
import { filterShape } from '../../workload/shapes/filter-shape.js';
import { literalPlaceholder } from '../../workload/shapes/placeholder.js';
import type { FilterShape } from '../../workload/shapes/shape.js';
import type { OperationShape } from '../../workload/workload.js';
import { callText } from '../code-command.js';
import { indexAnswer, type IndexUse } from '../mcp/would-be-indexed.js';

/** What somebody should see first, if a call can come out in several ways. */
const WORST_FIRST: readonly IndexUse[] = ['scan', 'in part', 'all documents', 'no index can', 'served', 'unknown'];

type IndexAnswer = ReturnType<typeof indexAnswer>;

/** Source with what is known of the cluster that it runs on. */
export interface JudgedSource extends JudgedReport {
  readonly code: UnderstoodCode;
  readonly judgement: BegunJudgement;
}

/** What a call costs in production, and how it would be searched; a fact a line. */
export function figuresOfCall(place: Place, { code, judgement, report, shapes }: JudgedSource): string {
  const recorded = shapes().flatMap(({ operation, shape }) => {
    if (!explains(place, operation.shape)) return [];
    const others = distinctLines(placesOf(operation.shape, code.places)).length - 1;
    return [
      `${shape.namespace}: ${shape.shape}`,
      `  ${shapeFigures(shape).join('; ')} (${sourceText(shape.source, report.recorded ?? [])})`,
      ...(shape.why === undefined ? [] : [`  No finding: ${reasonText(shape)}.`]),
      ...(others === 0 ? [] : [`  ${plural(others, 'other place')} may send it, too.`]),
    ];
  });
  const indexes = answersOn(place, judgement).map(
    (answer) => `Index: ${[indexText(answer), ...advice(answer)].join('; ')}`,
  );
  const lines = [callText(place), ...(recorded.length === 0 ? ['Not recorded.'] : recorded), ...new Set(indexes)];
  return lines.map(terminalText).join('\n');
}

/** How a call would be searched, in a few words; null if that is not known. */
export function indexHint(place: Place, { judgement }: Pick<JudgedSource, 'judgement'>): string | null {
  const answers = answersOn(place, judgement);
  const texts = new Set(answers.map(indexText));
  const [worst] = answers.toSorted((one, other) => WORST_FIRST.indexOf(one.use) - WORST_FIRST.indexOf(other.use));
  if (worst === undefined) return null;
  return terminalText(`${texts.size > 1 ? 'at worst ' : ''}${indexText(worst)}`);
}

/** One for each way in which it can come out; none if not all of it is known, or nothing of its collection's indexes. */
function answersOn(place: Place, judgement: BegunJudgement): IndexAnswer[] {
  const namespace = meantNamespace(place, judgement.collections.keys());
  if (namespace === null || !place.complete || place.kinds.includes('insert')) return [];
  const ways = (place.shapes ?? []).flatMap(withAndWithout);
  return ways
    .map((way) => indexAnswer(judgement, sentShape(way, place, namespace)))
    .filter(({ use, unservedJoins }) => use !== 'unknown' || unservedJoins.length > 0);
}

/** With what is only sometimes there, and without it. */
function withAndWithout(way: CodeShape): CodeShape[] {
  const { filter } = way;
  if (filter === undefined || filter.sometimes.size === 0) return [way];
  const always = Object.entries(filter.shape).filter(([path]) => !filter.sometimes.has(path));
  return [way, { ...way, filter: { ...filter, shape: Object.fromEntries(always) as FilterShape } }];
}

function sentShape(
  { pipeline, filter, sort, limited }: CodeShape,
  { kinds }: Place,
  namespace: string,
): OperationShape {
  if (pipeline !== undefined)
    return { namespace, kind: 'aggregate', pipeline: pipelineIn(databaseOf(namespace), pipeline) };
  const [kind = 'find'] = kinds;
  return {
    namespace,
    // `countDocuments` sends an aggregate of its own.
    kind: kind === 'aggregate' ? 'count' : kind,
    filter: filter?.shape ?? filterShape({}, literalPlaceholder),
    ...(sort !== undefined && sort !== null && { sort }),
    ...(limited === true && { limited }),
  };
}

function indexText({ use, indexes, documentsExamined, unservedJoins }: IndexAnswer): string {
  const reads = documentsExamined === null ? null : `reads all ${formatCount(documentsExamined)} documents`;
  const texts: Readonly<Record<IndexUse, string>> = {
    served: `served by ${inWords(indexes)}`,
    'in part': `served in part by ${inWords(indexes)}`,
    scan: `no index, ${reads ?? 'scans the collection'}`,
    'all documents': reads ?? 'needs no index',
    'no index can': `no index can serve it, ${reads ?? 'scans the collection'}`,
    unknown: 'unknown',
  };
  const joins = unservedJoins.map(
    ({ namespace, path }) => `no index for the join of ${namespace}${path === null ? '' : ` by ${path}`}`,
  );
  return [texts[use], ...joins].join('; ');
}

function advice({ advised }: IndexAnswer): string[] {
  return advised.flatMap(({ command }) =>
    command === null ? [] : [`to serve it, ${mongoshStatement(command, Infinity).join('')}`],
  );
}
