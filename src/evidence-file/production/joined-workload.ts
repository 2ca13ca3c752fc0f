import { picked } from '../../plain.js';
import { type Absent, type Evidence, present } from '../../presence.js';
import { operationKey } from '../../workload/shapes/operation-shape.js';
import { mergeViews } from '../../workload/sources/views.js';
import { type TracedWorkload, traceWorkload } from '../../workload/traced-workload.js';
import { operationSchema, workloadRest, workloadRestSchema } from '../../workload/workload-schema.js';
import { bySource, type Operation, type Workload, type WorkloadSource } from '../../workload/workload.js';
import { type Names, renamed, UNCHANGED } from '../renamed.js';
import type { DatabaseMap } from './database-map.js';
import { inProduction } from './joined-collection.js';

/** The key of an index of production, by its namespace and name there, as plan summaries write it; null if unknown. */
export type KeyOf = (namespace: string, name: string) => string | null;

/** The names that what is in production has here. */
export function namesHere({ toHere }: Pick<DatabaseMap, 'toHere'>, keyOf: KeyOf = () => null): Names {
  return {
    ...UNCHANGED,
    namespace: toHere,
    of(text, kind, about) {
      if (kind === 'namespace') return toHere(text);
      if (kind === 'index') return (about === null ? null : keyOf(about, text)) ?? text;
      return kind === 'database' ? (toHere(`${text}.`)?.slice(0, -1) ?? null) : text;
    },
  };
}

/** The operations of production, and those recorded here of which production does not report how it runs them. */
export function joinedWorkload(
  here: Evidence<TracedWorkload>,
  there: Evidence<TracedWorkload>,
  map: DatabaseMap,
  keyOf: KeyOf = () => null,
): Evidence<TracedWorkload> {
  if (!there.present)
    return here.present ? present(traceWorkload(ofHereAlone(here.value, inProduction(there)))) : there;
  const own = here.present ? here.value : null;
  const names = namesHere(map, keyOf);
  const theirs = renamed(workloadRest(there.value), workloadRestSchema, names) ?? workloadRest(there.value);
  const operations = there.value.operations.flatMap((each) => renamed(each, operationSchema, names) ?? []);
  const transactions = [
    ...(theirs.transactions ?? []),
    ...(own?.transactions ?? []).map((each) => ({ ...each, recordedHere: true as const })),
  ];
  const leftOut = (theirs.transactionEntriesLeftOut ?? 0) + (own?.transactionEntriesLeftOut ?? 0);
  // What a workload may have is listed in full: the type says so if a part is forgotten.
  const parts: { readonly [Part in keyof Required<Workload>]: Workload[Part] | undefined } = {
    operations: [...operations, ...recordedHereAlone(own?.operations ?? [], operations)],
    views: own === null ? theirs.views : mergeViews(own.views, theirs.views),
    sources: bySource((source) => ofProduction(theirs.sources[source])),
    counters: theirs.counters,
    pinnedPlans: joinedPins(own?.pinnedPlans, theirs.pinnedPlans),
    transactions: transactions.length === 0 ? undefined : transactions,
    indexChanges: theirs.indexChanges,
    transactionEntriesLeftOut: leftOut === 0 ? undefined : leftOut,
    entriesLeftOut: theirs.entriesLeftOut,
    connections: theirs.connections,
    changeStreams: theirs.changeStreams,
    nodeReads: theirs.nodeReads,
    since: theirs.since,
    sourcesHere: own?.sources,
  };
  return present(traceWorkload(picked(parts, Object.keys(parts) as (keyof Workload)[]) as Workload));
}

/** Those of both: what is advised is applied in either. */
function joinedPins(own: Workload['pinnedPlans'], theirs: Workload['pinnedPlans']): Workload['pinnedPlans'] {
  if (theirs === undefined) return own;
  if (!theirs.present) return own?.present === true && own.value.indexes.length > 0 ? own : inProduction(theirs);
  const ofHere = own?.present === true ? own.value : { indexes: [], rejected: [] };
  return present({
    indexes: distinct([...theirs.value.indexes, ...ofHere.indexes]),
    rejected: distinct([...theirs.value.rejected, ...ofHere.rejected]),
  });
}

function distinct<Of>(all: readonly Of[]): Of[] {
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

function recordedHereAlone(here: readonly Operation[], there: readonly Operation[]): Operation[] {
  const known = new Map(there.map((operation) => [operationKey(operation.shape), operation]));
  return here
    .filter((operation) => {
      const same = known.get(operationKey(operation.shape));
      return same === undefined || (!hasPlan(same) && hasPlan(operation));
    })
    .map((operation) => ({ ...operation, recordedHere: true }));
}

function hasPlan({ figures }: Operation): boolean {
  return Object.values(figures).some(({ planSummaries }) => Object.keys(planSummaries).length > 0);
}

function ofHereAlone({ operations, transactions, sources, ...here }: TracedWorkload, missing: Absent): Workload {
  return {
    ...here,
    operations: operations.map((operation) => ({ ...operation, recordedHere: true })),
    ...(transactions !== undefined && {
      transactions: transactions.map((each) => ({ ...each, recordedHere: true })),
    }),
    sources: bySource(() => missing),
    sourcesHere: sources,
  };
}

function ofProduction(source: Evidence<WorkloadSource>): Evidence<WorkloadSource> {
  if (!source.present) return inProduction(source);
  return present({ ...source.value, gaps: source.value.gaps.map(inProduction) });
}
