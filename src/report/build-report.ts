import type { AnyCheck } from '../check.js';
import type { Cluster } from '../connect/connect.js';
import type { ServerLoadSummary } from '../connect/load-control.js';
import type { ReadsSummary } from '../connect/read-members.js';
import { ATLAS_ERROR } from '../connect/server-error.js';
import { TESTED_VERSIONS, untestedSide } from '../connect/server-version.js';
import type { JoinedProduction } from '../evidence/evidence-run.js';
import { packageInfo } from '../files/package-root.js';
import type { Finding, Skipped } from '../finding.js';
import type { LookUp } from '../finding/look-for.js';
import { unnamedExecutions } from '../findings/ran-by.js';
import { rankedFindings, type FindingsOfOperations } from '../findings/ranked-findings.js';
import type { Judgement } from '../findings/run-checks.js';
import type { TopShape } from '../findings/top-shapes.js';
import type { UnfinishedOperation, WaitingOperation } from '../findings/unjudged-operations.js';
import { groupedBy } from '../grouped-by.js';
import type { IndexDescription } from '../inventory/collection.js';
import type { Query } from '../judgement/queries/query.js';
import { databaseOf } from '../namespace.js';
import { MS_PER_SECOND } from '../time-units.js';
import { SOURCE_NAMES } from '../workload/coverage/recording.js';
import type { TracedWorkload } from '../workload/traced-workload.js';
import { FIGURE_SOURCES } from '../workload/workload.js';
import { withPinnedIndexes } from './pinned-indexes.js';
import { REPORT_SCHEMA_VERSION } from './published-schema.js';
import type { Report, ReportedCluster } from './report.js';
import type { ReportedCollection } from './reported-collection.js';
import type { RunFailure } from './run-failure.js';

/** Everything a run came to. */
export interface RunResult {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly cluster: Cluster;
  /** Absent or null if it was judged by itself. */
  readonly production?: JoinedProduction | null;
  readonly checks: readonly Pick<AnyCheck, 'id' | 'title'>[];
  readonly skipped: readonly Skipped[];
  readonly judged: readonly (Judgement & { readonly measured: ReportedCollection })[];
  readonly ofCluster: Judgement;
  /** Codes of the server's errors that kept evidence from being collected. */
  readonly errorCodes: readonly number[];
  readonly failures: readonly RunFailure[];
  readonly cautions?: readonly string[];
  /** The costliest shapes of the workload, given what findings are about; absent if none was collected. */
  readonly topShapesOf?: (findings: FindingsOfOperations) => readonly TopShape[];
  readonly recorded?: NonNullable<Report['recorded']>;
  /** Operations that wait rather than work. */
  readonly waiting?: readonly WaitingOperation[];
  /** Operations that were seen running, and no end of them. */
  readonly unfinished?: readonly UnfinishedOperation[];
  /** Absent or null if it was not collected. */
  readonly workload?: TracedWorkload | null;
  /** What became of known findings that the samples do not show. */
  readonly lookUps?: readonly LookUp[];
  /** The indexes of a collection; empty if they are unknown. */
  readonly indexesOf?: (namespace: string) => readonly IndexDescription[];
  /** What is asked of linted collections. */
  readonly queries?: readonly Query[];
  /** How the run spared the server; absent or null if it did not have to. */
  readonly serverLoad?: ServerLoadSummary | null;
  /** Members that were lost while they were read, and those that lag; absent or null if there is neither. */
  readonly reads?: ReadsSummary | null;
}

/** Puts a run's results together as a report: findings the worst first, totals counted. */
export function buildReport({
  startedAt,
  finishedAt,
  cluster,
  production = null,
  checks,
  skipped,
  judged,
  ofCluster,
  errorCodes,
  failures,
  cautions = [],
  topShapesOf = () => [],
  recorded = [],
  waiting = [],
  unfinished = [],
  workload = null,
  lookUps = [],
  indexesOf = () => [],
  queries = [],
  serverLoad = null,
  reads = null,
}: RunResult): Report {
  const judgements = [...judged, ofCluster];
  const allSkipped = [...skipped, ...judgements.flatMap((judgement) => judgement.skipped)];
  const letPass = judgements.flatMap((judgement) => judgement.letPass ?? []);
  const collections = judged.map(({ measured }) => measured);
  const measuredBy = new Map(collections.map((collection) => [collection.namespace, collection]));
  const { findings: ranked, ofOperations } = rankedFindings(
    judgements.flatMap((judgement) => judgement.findings),
    workload,
    (namespace) => measuredBy.get(namespace) ?? null,
  );
  const findings = [...withPinnedIndexes(ranked, workload, indexesOf, queries)];
  const topShapes = topShapesOf(ofOperations);
  const byCheck = groupedBy(
    judgements.flatMap(({ judgedBy }) => judgedBy),
    (id) => id,
  );
  const notJudgeable = checks
    .map(({ id }) => id)
    .filter((id) => !byCheck.has(id))
    .filter((id) => allSkipped.some(({ check, reason }) => check === id && reason === 'unsupported'));
  return {
    schemaVersion: REPORT_SCHEMA_VERSION,
    tool: packageInfo(),
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    cluster: { ...reportedCluster(cluster, errorCodes), engine: { ...cluster.engine, notJudgeable } },
    ...(production !== null && {
      production: { ...production, collectedAt: production.collectedAt.toISOString() },
    }),
    failures: [...failures],
    ...(cautions.length > 0 && { cautions: [...cautions] }),
    summary: {
      ...collectionCounts(collections),
      ...findingCounts(findings),
      checks: {
        ran: byCheck.size,
        skipped: checks.filter(({ id }) => allSkipped.some(({ check }) => check === id || check === '*')).length,
      },
      ...(serverLoad !== null && { serverLoad }),
      ...(reads !== null && { reads: { losses: [...reads.losses], lags: [...reads.lags] } }),
    },
    checks: checks.map(({ id, title }) => ({ check: id, title, judged: byCheck.get(id)?.length ?? 0 })),
    findings,
    skipped: allSkipped,
    ...(letPass.length > 0 && { letPass }),
    ...(topShapes.length > 0 && { topShapes: [...topShapes] }),
    ...(recorded.length > 0 && { recorded }),
    ...(waiting.length > 0 && { waiting: [...waiting] }),
    ...(unfinished.length > 0 && { unfinished: [...unfinished] }),
    ...notUnderstoodIn(workload),
    ...rejectedShapes(workload),
    ...unnamedApplications(workload),
    ...nodeReadsOf(workload),
    ...(lookUps.length > 0 && { lookUps: [...lookUps] }),
    collections,
  };
}

function nodeReadsOf(workload: TracedWorkload | null): Pick<Report, 'nodeReads'> {
  const { nodeReads } = workload ?? {};
  if (nodeReads === undefined) return {};
  return {
    nodeReads: nodeReads.map(({ node, finds, window }) => ({
      node,
      finds,
      seconds: Math.round((window.to - window.from) / MS_PER_SECOND),
    })),
  };
}

/** Entries of unknown kinds, by source. */
function notUnderstoodIn(workload: TracedWorkload | null): Pick<Report, 'notUnderstood'> {
  if (workload === null) return {};
  const notUnderstood = FIGURE_SOURCES.flatMap((source) => {
    const read = workload.sources[source];
    const kinds = new Map<string, number>();
    for (const part of read.present ? read.value.parts : [])
      for (const [kind, entries] of Object.entries(part.notUnderstood ?? {}))
        kinds.set(kind, (kinds.get(kind) ?? 0) + entries);
    return [...kinds].map(([kind, entries]) => ({ source: SOURCE_NAMES[source], kind, entries }));
  });
  return notUnderstood.length === 0 ? {} : { notUnderstood };
}

function rejectedShapes(workload: TracedWorkload | null): Pick<Report, 'rejected' | 'querySettingsUnread'> {
  const { pinnedPlans } = workload ?? {};
  if (pinnedPlans === undefined) return {};
  if (!pinnedPlans.present)
    return pinnedPlans.reason === 'unsupported' ? {} : { querySettingsUnread: pinnedPlans.detail };
  const { rejected } = pinnedPlans.value;
  return rejected.length === 0 ? {} : { rejected: [...rejected] };
}

function unnamedApplications(workload: TracedWorkload | null): Pick<Report, 'unnamedApplications'> {
  const unnamed = workload === null ? null : unnamedExecutions(workload.operations);
  return unnamed === null ? {} : { unnamedApplications: { ...unnamed, source: SOURCE_NAMES[unnamed.source] } };
}

function reportedCluster(cluster: Cluster, errorCodes: readonly number[]): ReportedCluster {
  const { topology, version, name, readFrom } = cluster;
  // Only the free and flexible tiers refuse commands as "not supported on this tier".
  const refused = cluster.atlas && errorCodes.includes(ATLAS_ERROR);
  const tier = cluster.atlas ? (refused ? 'atlas-free-or-flex' : 'atlas') : null;
  const tested = untestedSide(version) === null ? {} : { tested: TESTED_VERSIONS };
  return { topology, version, ...tested, name, tier, readFrom };
}

type Counts = 'databases' | 'collections' | 'documentsSampled' | 'bytesSampled';

/** What was linted, and how much of it was sampled. */
export function collectionCounts(collections: readonly ReportedCollection[]): Pick<Report['summary'], Counts> {
  const sampled = collections.flatMap((collection) => collection.sampled ?? []);
  return {
    databases: new Set(collections.map(({ namespace }) => databaseOf(namespace))).size,
    collections: collections.length,
    documentsSampled: sampled.reduce((sum, { documents }) => sum + documents, 0),
    bytesSampled: sampled.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Findings by severity; those that are suppressed are counted by themselves. */
export function findingCounts(all: readonly Finding[]): Pick<Report['summary'], 'findings' | 'suppressed'> {
  const active = all.filter(({ suppressed }) => suppressed === undefined);
  const count = (wanted: Finding['severity']) => active.filter(({ severity }) => severity === wanted).length;
  const findings = { error: count('error'), warning: count('warning'), info: count('info') };
  return { findings, suppressed: all.length - active.length };
}
