import { groupedBy } from '../../grouped-by.js';
import { ofOneRecord, recordedCoverage, recordingOf, shareOfTime } from '../../workload/coverage/recording.js';
import { examinedBy } from '../../workload/operations/waste.js';
import type { TracedOperation } from '../../workload/traced-workload.js';
import { quotient, sumOf } from '../quotient.js';
import { asInProduction, type JoinedCluster } from './joined-cluster.js';
import { discardsJoined, joinedPart } from './joined-part.js';
import { scannedBefore } from './scanned-before.js';
import { scanningJoins } from './unserved-joins.js';

/** What the joins of a collection cost, by the source with the most executions on it. */
export type JoinLoad = NonNullable<ReturnType<typeof joinLoad>>;

/** One for each collection on which joins were recorded, also through a view. */
export function joinLoads(cluster: JoinedCluster): JoinLoad[] {
  const onLinted = cluster.workload.tracedOperations.filter(({ base }) => cluster.collections.has(base));
  return [...groupedBy(onLinted, ({ base }) => base).values()].flatMap((traced) => joinLoad(traced, cluster) ?? []);
}

function joinLoad(traced: readonly TracedOperation[], cluster: JoinedCluster) {
  const all = ofOneRecord(traced, ({ operation }) => operation);
  const operations = all.map(({ operation }) => operation);
  const { source, executions, ...recording } = recordingOf(operations, cluster.workload);
  const figuresOf = (of: readonly TracedOperation[]) => of.flatMap(({ operation }) => operation.figures[source] ?? []);
  const timeOf = (of: readonly TracedOperation[]) => sumOf(figuresOf(of), ({ milliseconds }) => milliseconds);
  const joining = all
    .filter(({ operation, joins }) => joins.length > 0 && operation.figures[source] !== undefined)
    .toSorted((one, other) => (timeOf([other]) ?? 0) - (timeOf([one]) ?? 0));
  const [costliest] = joining;
  if (costliest === undefined) return null;
  const joinExecutions = sumOf(figuresOf(joining), (each) => each.executions) ?? 0;
  const parts = joining.flatMap(({ joins }) => joins.map((join) => joinedPart(join, cluster)));
  const joined = sumOf(parts.slice(0, costliest.joins.length), (part) => part.documents ?? 1) ?? 0;
  const unindexed = unindexedIn(joining, cluster);
  // Production may have scanned for what an index of the branch serves.
  const there = joining.filter(({ operation }) => operation.recordedHere !== true);
  const scans = [...unindexed, ...unindexedIn(there, asInProduction(cluster))];
  const before = joining.filter((each) => scannedBefore(each, source, cluster));
  const scanning = new Set([...scans.map(({ use }) => use.operation), ...before.map(({ operation }) => operation)]);
  const countedOf = ({ operation }: TracedOperation) =>
    operation.figures[source]?.[scanning.has(operation) ? 'documentsReturned' : 'documentsExamined'] ?? null;
  const documentsOf = (of: readonly TracedOperation[]) => sumOf(of, countedOf);
  const ofAll = quotient(sumOf(figuresOf(joining), examinedBy), cluster.workload.examined[source]);
  return {
    namespace: costliest.base,
    source,
    coverage: recordedCoverage(recording.coverage, timeOf(all), executions),
    joining,
    parts,
    unindexed: [...new Set(unindexed.map(({ namespace, path }) => `${namespace} by \`${path}\``))],
    discardsJoined: discardsJoined(costliest, source, cluster),
    figures: {
      executions,
      joinExecutions,
      shareOfOperations: joinExecutions / executions,
      shareOfTime: shareOfTime(timeOf(joining), timeOf(all)),
      /** With the indexes that they need, joins read what they return, or the outer document and what they join to it. */
      documentsPerExecution: Math.round(Math.max(1 + joined, (documentsOf(joining) ?? 0) / joinExecutions)),
      shareOfDocuments: scanning.size > 0 ? null : quotient(documentsOf(joining), documentsOf(all)),
      /** The share of the documents and keys that all recorded operations examine. A scan for want of an index has none. */
      shareOfWorkload: scanning.size > 0 ? null : ofAll,
      averageMs: quotient(timeOf(joining), joinExecutions),
      joinsPerPipeline: Math.max(...joining.map(({ joins }) => joins.length)),
      documentsJoined: Math.max(...parts.map((part) => part.documents ?? 0)) || null,
      joinedBytes: Math.round(Math.max(...parts.map((part) => part.bytes ?? 0))) || null,
      joined: [...new Set(parts.map(({ foreign }) => foreign))],
    },
  };
}

function unindexedIn(joining: readonly TracedOperation[], cluster: JoinedCluster) {
  const operations = new Set<unknown>(joining.map(({ operation }) => operation));
  return scanningJoins(cluster).filter(({ use }) => operations.has(use.operation));
}
