import { present, type Absent, type Evidence } from '../../presence.js';
import { operationKey } from '../../workload/shapes/operation-shape.js';
import { mergeViews } from '../../workload/sources/views.js';
import { traceWorkload, type TracedWorkload } from '../../workload/traced-workload.js';
import { FIGURE_SOURCES, type Operation, type Workload, type WorkloadSource } from '../../workload/workload.js';
import type { DatabaseMap } from './database-map.js';
import { inProduction } from './in-production.js';
import { renamedOperation, renamedSource, renamedView } from './renamed-operations.js';

/** The operations of production, and those recorded here of which production does not tell how it runs them. */
export function joinedWorkload(
  here: Evidence<TracedWorkload>,
  there: Evidence<TracedWorkload>,
  map: DatabaseMap,
): Evidence<TracedWorkload> {
  if (!there.present) return here.present ? present(traceWorkload(withGap(here.value, there))) : there;
  const toHere = (namespace: string) => map.toHere(namespace);
  const operations = there.value.operations.flatMap((operation) => renamedOperation(operation, toHere) ?? []);
  const views = there.value.views.flatMap((view) => renamedView(view, toHere) ?? []);
  const sources = Object.fromEntries(
    FIGURE_SOURCES.map((source) => [source, ofProduction(renamedSource(there.value.sources[source], toHere))]),
  ) as unknown as Workload['sources'];
  return present(
    traceWorkload({
      operations: [...operations, ...(here.present ? recordedHereAlone(here.value.operations, operations) : [])],
      views: here.present ? mergeViews(here.value.views, views) : views,
      sources,
      counters: there.value.counters,
      ...(here.present && { sourcesHere: here.value.sources }),
    }),
  );
}

function recordedHereAlone(here: readonly Operation[], there: readonly Operation[]): Operation[] {
  const known = new Map(there.map((operation) => [operationKey(operation.shape), operation]));
  return here
    .filter((operation) => {
      const same = known.get(operationKey(operation.shape));
      return same === undefined || (!tellsPlan(same) && tellsPlan(operation));
    })
    .map((operation) => ({ ...operation, recordedHere: true }));
}

function tellsPlan({ figures }: Operation): boolean {
  return Object.values(figures).some(({ planSummaries }) => Object.keys(planSummaries).length > 0);
}

function withGap({ operations, views, sources, counters }: TracedWorkload, gap: Absent): Workload {
  const missing = inProduction(gap);
  return {
    operations: operations.map((operation) => ({ ...operation, recordedHere: true })),
    views,
    sources: { profiler: missing, queryStats: missing, logFile: missing, recentLog: missing, routerLog: missing },
    counters,
    sourcesHere: sources,
  };
}

function ofProduction(source: Evidence<WorkloadSource>): Evidence<WorkloadSource> {
  if (!source.present) return inProduction(source);
  return present({ ...source.value, gaps: source.value.gaps.map(inProduction) });
}
