import type { Document } from 'mongodb';
import type { OperationFigures } from '../../../src/check.js';
import { absent, present } from '../../../src/presence.js';
import { FiguresSum } from '../../../src/workload/operations/figures.js';
import { readsByCollection, type CollectionReads } from '../../../src/workload/reads/collection-reads.js';
import { operationShape } from '../../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder } from '../../../src/workload/shapes/placeholder.js';
import { slicesOf } from '../../../src/workload/shapes/slices.js';
import { resolveViews } from '../../../src/workload/sources/views.js';
import { traceWorkload } from '../../../src/workload/traced-workload.js';
import type { Operation, OperationKind } from '../../../src/workload/workload.js';

const DAY = 24 * 60 * 60 * 1_000;

/** A read of `shop.posts`, or of a view of it: a find with these arguments, or an aggregation by its pipeline. */
export interface GivenRead {
  readonly on?: string;
  readonly find?: Document;
  readonly pipeline?: readonly Document[];
  readonly kind?: OperationKind;
  readonly executions?: number;
  readonly truncated?: boolean;
  readonly figures?: Partial<OperationFigures>;
}

function operation({
  on = 'posts',
  find = {},
  pipeline,
  kind,
  executions = 100,
  truncated = false,
  figures = {},
}: GivenRead): Operation {
  const command = pipeline === undefined ? find : { pipeline };
  const shape = operationShape(
    { kind: kind ?? (pipeline === undefined ? 'find' : 'aggregate'), namespace: `shop.${on}`, command, truncated },
    literalPlaceholder,
  );
  return {
    shape,
    figures: { profiler: { ...new FiguresSum().figures(), executions, slices: slicesOf(command), ...figures } },
  };
}

/** The reads of `shop.posts`, as a profiler recorded all of them for two days; undefined where there are none. */
export function readsOf(
  given: readonly GivenRead[],
  views: Readonly<Record<string, readonly Document[]>> = {},
): CollectionReads | undefined {
  const none = absent('unsupported', 'not there.');
  const coverage = { operations: 'all', slowMilliseconds: 100, sampleRate: 1 } as const;
  const part = {
    database: 'shop',
    member: 'the primary',
    coverage,
    window: { from: 0, to: 2 * DAY },
    entries: 1,
    ignored: 0,
    unreadable: 0,
    bounded: false,
  };
  const definitions = Object.entries(views).map(([name, pipeline]) => ({
    namespace: `shop.${name}`,
    database: 'shop',
    name,
    kind: 'view' as const,
    clustered: false,
    viewOn: 'posts',
    pipeline,
  }));
  const workload = traceWorkload({
    operations: given.map(operation),
    views: resolveViews(definitions),
    sources: {
      profiler: present({ parts: [part], gaps: [] }),
      queryStats: none,
      logFile: none,
      recentLog: none,
      routerLog: none,
    },
    counters: none,
  });
  return readsByCollection(workload).get('shop.posts');
}
