import type { Document } from 'mongodb';
import type {
  AnyClusterCheck,
  Children,
  ClusterVerdict,
  Collection,
  FieldType,
  IndexDescription,
  OperationFigures,
  OplogWindow,
  Safety,
  Problem,
  ReferenceIntegrity,
  References,
  TypeCounts,
  UnderstoodCode,
  Workload,
} from '../../../src/check.js';
import type { JoinedCluster } from '../../../src/judgement/joins/joined-cluster.js';
import { absent, present, type Evidence } from '../../../src/presence.js';
import { FiguresSum } from '../../../src/workload/operations/figures.js';
import { operationShape } from '../../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder } from '../../../src/workload/shapes/placeholder.js';
import { resolveViews } from '../../../src/workload/sources/views.js';
import { traceWorkload } from '../../../src/workload/traced-workload.js';
import type {
  Coverage,
  FigureSource,
  Operation,
  OperationKind,
  ServerCounters,
  WorkloadSource,
} from '../../../src/workload/workload.js';
import { ID_INDEX } from './index-builders.js';
import { reported, type ReportedProblem, withKnownFigures } from './reported-problem.js';

const DAY = 24 * 60 * 60 * 1_000;
const NOW = Date.UTC(2026, 10, 21);

/** What is known of a collection of the database `shop`. */
export interface GivenCollection {
  /** Documents by the metadata; null where they could not be read. */
  readonly documents?: number | null;
  /** Bytes per document. */
  readonly bytes?: number;
  /** Indexes beside the one on `_id`; null where they could not be read. */
  readonly indexes?: readonly IndexDescription[] | null;
  /** Types by path in the profile's notation, counted among 100 sampled documents; null where none could be sampled. */
  readonly fields?: Readonly<Record<string, TypeCounts>> | null;
  /** What else the sample tells of a field, by path. */
  readonly more?: Readonly<Record<string, Partial<FieldType>>>;
  /** Elements per array, by path. */
  readonly elements?: Readonly<Record<string, number>>;
  /** True where the sample holds every document. */
  readonly complete?: boolean;
  readonly options?: Partial<Collection>;
  /** Bytes of the largest document; null where it is not known. */
  readonly largest?: number | null;
  /** How often each index was used, by its name. */
  readonly accesses?: Readonly<Record<string, number>>;
}

/** An operation on a collection or view of `shop`. */
export interface GivenOperation {
  readonly on?: string;
  readonly kind?: OperationKind;
  readonly command: Document;
  readonly truncated?: boolean;
  /** Figures by source; of the profiler alone unless given. */
  readonly source?: FigureSource;
  readonly figures?: Partial<OperationFigures>;
}

/** What a test says of a cluster; the rest is that of a profiler that recorded everything for two days. */
export interface GivenCluster {
  readonly collections: Readonly<Record<string, GivenCollection>>;
  readonly views?: Readonly<
    Record<string, { readonly viewOn: string; readonly pipeline: readonly Document[]; readonly collation?: Document }>
  >;
  readonly operations?: readonly GivenOperation[];
  /** How long the sources span, in days. */
  readonly days?: number;
  readonly coverage?: Partial<Coverage>;
  readonly sources?: Partial<Workload['sources']>;
  readonly counters?: Evidence<ServerCounters>;
  readonly version?: string;
  readonly oplogWindow?: OplogWindow;
  readonly safety?: Safety;
  readonly transactions?: Workload['transactions'];
  readonly transactionEntriesLeftOut?: number;
  readonly entriesLeftOut?: Workload['entriesLeftOut'];
  readonly connections?: Workload['connections'];
  readonly changeStreams?: Workload['changeStreams'];
  readonly indexChanges?: Workload['indexChanges'];
  readonly references?: References;
  readonly referenceIntegrity?: ReferenceIntegrity;
  readonly children?: Children;
  readonly thresholds?: Readonly<Record<string, number>>;
  /** What is understood of the source. */
  readonly code?: UnderstoodCode;
}

/** An operation that joins, on `shop.orders` unless given otherwise. */
export function aggregate(
  pipeline: readonly Document[],
  given: Omit<GivenOperation, 'command'> & { readonly collation?: Document } = {},
): GivenOperation {
  const { collation, ...rest } = given;
  return { ...rest, kind: 'aggregate', command: { pipeline, ...(collation !== undefined && { collation }) } };
}

function operation({
  on = 'orders',
  kind = 'find',
  command,
  truncated = false,
  source = 'profiler',
  figures = {},
}: GivenOperation): Operation {
  const executions = figures.executions ?? 100;
  return {
    shape: operationShape({ kind, namespace: `shop.${on}`, command, truncated }, literalPlaceholder),
    figures: {
      [source]: {
        ...new FiguresSum().figures(),
        executions,
        milliseconds: executions * 10,
        classicExecutions: executions,
        ...figures,
      },
    },
  };
}

function collectionNamed(name: string, options: Partial<Collection> = {}): Collection {
  return { namespace: `shop.${name}`, database: 'shop', name, kind: 'collection', clustered: false, ...options };
}

function knownCollection(name: string, given: GivenCollection) {
  const {
    documents = 20_000,
    bytes = 200,
    indexes = [],
    fields = {},
    elements = {},
    more = {},
    complete = false,
    options,
    largest = bytes,
    accesses = {},
  } = given;
  const unread = absent('privilege', `reading ${name}: not authorized.`);
  const fieldTypes = Object.entries(fields ?? {}).map(([path, types]): FieldType => ({
    path,
    types,
    documents: Math.min(
      100,
      Object.values(types).reduce((sum, count) => sum + count, 0),
    ),
    elementsPerArray: elements[path] ?? null,
    longestString: types.string === undefined ? null : 24,
    ...more[path],
  }));
  return {
    collection: collectionNamed(name, options),
    indexes: indexes === null ? unread : present([...(options?.clustered === true ? [] : [ID_INDEX]), ...indexes]),
    storage:
      documents === null
        ? unread
        : present({ count: documents, size: documents * bytes, averageDocumentSize: bytes, indexSizes: null }),
    fieldTypes: fields === null ? unread : present({ documents: 100, complete, fields: fieldTypes }),
    largestDocuments:
      largest === null
        ? unread
        : present({ maximumBytes: largest, source: 'sample', unseenBytes: 0, probe: { state: 'not-needed' } }),
    indexUsage: present({
      readAt: NOW,
      nodes: [
        {
          node: 'the primary',
          indexes: Object.fromEntries(
            Object.entries(accesses).map(([index, each]) => [index, { accesses: each, since: 0 }]),
          ),
        },
      ],
      nodesNotAsked: 0,
    }),
  };
}

const none = (what: string) => absent('unsupported', `${what} is not there.`);

/** The evidence of such a cluster. */
export function joinedCluster(
  given: GivenCluster,
): JoinedCluster & { readonly references: References; readonly children: Children } {
  const { operations = [], views = {}, days = 2, coverage = {}, version = '6.0.5' } = given;
  const source: WorkloadSource = {
    parts: [
      {
        database: 'shop',
        member: 'the primary',
        coverage: { operations: 'all', slowMilliseconds: 100, sampleRate: 1, ...coverage },
        window: { from: NOW - days * DAY, to: NOW },
        entries: 1_000,
        ignored: 0,
        unreadable: 0,
        bounded: false,
      },
    ],
    gaps: [],
  };
  const definitions = Object.entries(views).map(([name, view]) => collectionNamed(name, { ...view, kind: 'view' }));
  const known = Object.entries(given.collections).map(([name, each]) => [`shop.${name}`, knownCollection(name, each)]);
  const sources = {
    profiler: present(source),
    queryStats: none('query stats'),
    logFile: none('a log file'),
    recentLog: none('a log'),
    routerLog: none('a log of mongos'),
    ...given.sources,
  };
  const cluster: unknown = {
    collections: new Map(known as [string, unknown][]),
    workload: traceWorkload({
      operations: operations.map(operation),
      views: resolveViews(definitions),
      sources,
      counters: given.counters ?? none('serverStatus'),
      ...(given.transactions !== undefined && { transactions: given.transactions }),
      ...(given.changeStreams !== undefined && { changeStreams: given.changeStreams }),
      ...(given.connections !== undefined && { connections: given.connections }),
      ...(given.indexChanges !== undefined && { indexChanges: given.indexChanges }),
      ...(given.entriesLeftOut !== undefined && { entriesLeftOut: given.entriesLeftOut }),
      ...(given.transactionEntriesLeftOut !== undefined && {
        transactionEntriesLeftOut: given.transactionEntriesLeftOut,
      }),
    }),
    server: { version },
    oplogWindow: given.oplogWindow ?? null,
    ...(given.safety !== undefined && { safety: given.safety }),
    references: given.references ?? { references: [], gaps: [] },
    referenceIntegrity: given.referenceIntegrity ?? { references: [], gaps: [] },
    children: given.children ?? { families: [], gaps: [] },
  };
  return cluster as JoinedCluster & { readonly references: References; readonly children: Children };
}

/** What a check says of such a cluster, by its default thresholds. */
export function judgeCluster(check: AnyClusterCheck, given: GivenCluster): readonly ClusterVerdict[] {
  const limits = Object.entries(check.thresholds as Record<string, { default: number }>).map(([name, each]) => [
    name,
    each.default,
  ]);
  // A list of checks no longer knows what evidence each of them takes.
  const { code } = given;
  const subject: unknown = { ...joinedCluster(given), ...(code !== undefined && { code }) };
  return withKnownFigures(
    check.judge(subject as Parameters<AnyClusterCheck['judge']>[0], {
      ...Object.fromEntries(limits),
      ...given.thresholds,
    }),
  );
}

export type FoundProblem = ReportedProblem<Problem & { readonly namespace: string }>;

/** The problems among the verdicts. */
export function problemsIn(check: AnyClusterCheck, given: GivenCluster): readonly FoundProblem[] {
  return reported(judgeCluster(check, given)).flatMap((verdict) =>
    'notJudged' in verdict ? [] : [verdict as FoundProblem],
  );
}

/** The counters of a server that has run for so long, of which it counts none but those given. */
export function countersOf(window: ServerCounters['window'], given: Partial<ServerCounters> = {}): ServerCounters {
  return {
    window,
    stages: {},
    operations: {},
    joins: null,
    collectionScans: null,
    inMemorySorts: null,
    queryStats: null,
    profiler: null,
    ...given,
  };
}

/** The problems in a line each: "warning shop.payments order". */
export function foundIn(check: AnyClusterCheck, given: GivenCluster): string[] {
  return problemsIn(check, given).map(({ severity, namespace, path }) => `${severity} ${namespace} ${path}`);
}

/** The only problem; fails where there is none or another. */
export function problemIn(check: AnyClusterCheck, given: GivenCluster): FoundProblem {
  const [first, ...others] = problemsIn(check, given);
  if (first === undefined || others.length > 0)
    throw new Error(`Expected one problem, got ${others.length + (first ? 1 : 0)}.`);
  return first;
}
