import type { FindingEvidence } from '../../src/check.js';
import { lineText, type SourceLine } from '../../src/code/source-line.js';
import { inWords, plural } from '../../src/format.js';
import type { JoinCost } from '../../src/judgement/joins/join-cost.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import type { UnindexableJoin, UnindexedJoin } from '../../src/judgement/joins/unserved-joins.js';
import { documentsHere, judgedAtText, type JudgedSize } from '../../src/judgement/judged-size.js';
import { joinSource, windowOf } from '../../src/workload/coverage/join-telling.js';

/** Collections and lines that the message names; the finding has all. */
const NAMED = 3;

/** A join that no index serves; with its line if only the source has it. */
export interface FoundJoin {
  readonly join: UnindexedJoin | UnindexableJoin;
  readonly line?: SourceLine;
}

/** The joins of one foreign field, in whichever pipelines and sources. */
export interface JoinedField {
  readonly namespace: string;
  readonly path: string | null;
  readonly joins: readonly FoundJoin['join'][];
  /** Empty if they were recorded, or are those of views. */
  readonly lines: readonly SourceLine[];
}

export function messageOf(field: JoinedField, cost: JoinCost, size: JudgedSize, why: string): string {
  const { executionsPerDay, servedInProductionBy: [served] = [], documentsExamined } = cost;
  const inProduction = served === undefined ? '' : ` Production has the index ${served} for it.`;
  const examined =
    documentsExamined === null
      ? ''
      : `: an execution examined ${plural(Math.round(documentsExamined), size.unit)} on average`;
  const unrecorded = ' No recording has seen this operation, so how often it runs is unknown.';
  return (
    `${whatJoins(field, cost)}. ${why}${inProduction} ` +
    `Each execution reads all ${plural(size.recorded, size.unit)}, for each outer document or into a hash table${examined}.` +
    // What was recorded in a build says nothing of a day.
    judgedAtText(size, size.from === 'production' ? executionsPerDay : null) +
    (field.lines.length > 0 ? unrecorded : '')
  );
}

/** "`$lookup` from shop.orders joins shop.payments by `order`". */
export function whatJoins({ namespace, path, joins, lines }: JoinedField, { executions }: JoinCost): string {
  const stages = [...new Set(joins.map(({ use }) => `\`${use.join.stage}\``))].join(' and ');
  const where =
    lines.length > 0
      ? `at ${namesOf(lines.map(lineText), 'place')}`
      : `${executions === null ? 'in the definition of' : 'from'} ${namesOf(sourcesOf(joins), 'collection')}`;
  return `${stages} ${where} joins ${namespace}${path === null ? '' : ` by \`${path}\``}`;
}

function namesOf(names: readonly string[], noun: string): string {
  return names.length > NAMED ? plural(names.length, noun) : inWords(names);
}

function sourcesOf(joins: JoinedField['joins']): string[] {
  return [...new Set(joins.map(({ use }) => joinSource(use)))];
}

export function evidenceOf(
  { namespace, joins }: JoinedField,
  cost: JoinCost,
  size: JudgedSize,
  { collections }: JoinedCluster,
): FindingEvidence {
  const { present, unit } = size;
  const storage = collections.get(namespace)?.storage;
  const stored = storage?.present === true ? storage.value : null;
  return {
    source: cost.source,
    ...windowOf(cost),
    ...(unit === 'bucket' ? { foreignBuckets: present } : { foreignDocuments: stored?.count ?? present }),
    ...documentsHere(size),
    foreignSize: stored?.size ?? null,
    executions: cost.executions,
    executionsPerDay: cost.executionsPerDay === null ? null : Math.round(cost.executionsPerDay),
    documentsExamined: cost.documentsExamined === null ? null : Math.round(cost.documentsExamined),
    joinedFrom: sourcesOf(joins),
  };
}
