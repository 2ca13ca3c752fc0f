import type { FindingEvidence } from '../../src/check.js';
import { formatCount, plural } from '../../src/format.js';
import type { JoinCost } from '../../src/judgement/joins/join-cost.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import type { UnindexableJoin, UnindexedJoin } from '../../src/judgement/joins/unserved-joins.js';
import { documentsHere, judgedAtText, type JudgedSize } from '../../src/judgement/judged-size.js';
import { joinSource, windowOf } from '../../src/workload/coverage/join-telling.js';

/** Collections that the message names; the evidence has all. */
const NAMED = 3;

/** The joins of one foreign field, in whichever pipelines and sources. */
export interface JoinedField {
  readonly namespace: string;
  readonly path: string | null;
  readonly joins: readonly (UnindexedJoin | UnindexableJoin)[];
}

export function messageOf(
  { namespace, path, joins }: JoinedField,
  cost: JoinCost,
  size: JudgedSize,
  why: string,
): string {
  const by = path === null ? '' : ` by \`${path}\``;
  return (
    `${whatJoins(joins, cost)} ${namespace}${by}. ${why} ${inProduction(cost)}${whatItCosts(cost, size)}` +
    judgedAtText(size, perDayInProduction(cost, size))
  );
}

function sourcesOf(joins: JoinedField['joins']): string[] {
  return [...new Set(joins.map(({ use }) => joinSource(use)))];
}

function namesOf(sources: readonly string[]): string {
  return sources.length > NAMED ? `${formatCount(sources.length)} collections` : sources.join(' and ');
}

function whatJoins(joins: JoinedField['joins'], { executions }: JoinCost): string {
  const sources = sourcesOf(joins);
  const names = namesOf(sources);
  const stages = [...new Set(joins.map(({ use }) => `\`${use.join.stage}\``))].join(' and ');
  if (executions === null)
    return `The ${sources.length === 1 ? 'view' : 'views'} ${names} ${sources.length === 1 ? 'joins' : 'join'}`;
  return `${stages} from ${names} joins`;
}

/** For a foreign collection that is too small to tell. */
export function whatIsJoined(joins: JoinedField['joins'], path: string | null): string {
  return `joined from ${namesOf(sourcesOf(joins))}${path === null ? '' : ` by \`${path}\``}, without an index`;
}

function inProduction({ servedInProductionBy: [name] = [] }: JoinCost): string {
  return name === undefined ? '' : `Production has the index ${name} for it. `;
}

/** What was recorded in a build says nothing of a day. */
function perDayInProduction({ executionsPerDay }: JoinCost, { from }: JudgedSize): number | null {
  return from === 'production' ? executionsPerDay : null;
}

function whatItCosts({ executions, documentsExamined, isHashJoin }: JoinCost, { recorded, unit }: JudgedSize): string {
  const all = `all ${plural(recorded, unit)}`;
  if (executions === null) return `A read of the view reads ${all} for each outer document.`;
  const read = isHashJoin
    ? `Each execution reads ${all} into a hash table`
    : `The server reads ${all} for each outer document`;
  const examined =
    documentsExamined === null
      ? ''
      : `: an execution examined ${plural(Math.round(documentsExamined), unit)} on average`;
  return `${read}${examined}.`;
}

export function evidenceOf(
  namespace: string,
  joins: JoinedField['joins'],
  cost: JoinCost,
  size: JudgedSize,
  { collections }: JoinedCluster,
): FindingEvidence {
  const { present, unit } = size;
  const storage = collections.get(namespace)?.storage;
  const stored = storage?.present === true ? storage.value : null;
  const figures = {
    ...(unit === 'bucket' ? { foreignBuckets: present } : { foreignDocuments: stored?.count ?? present }),
    ...documentsHere(size),
    foreignSize: stored?.size ?? null,
    executions: cost.executions,
    executionsPerDay: cost.executionsPerDay === null ? null : Math.round(cost.executionsPerDay),
    documentsExamined: cost.documentsExamined === null ? null : Math.round(cost.documentsExamined),
    averageMs: cost.averageMs,
    shareOfTime: cost.shareOfTime,
    strategy: cost.executions === null ? null : cost.isHashJoin ? 'hash join' : 'scan for each document',
    joinedFrom: sourcesOf(joins),
  };
  return { source: cost.source, ...windowOf(cost), ...figures };
}
