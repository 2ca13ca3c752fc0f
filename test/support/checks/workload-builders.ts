import type { Document } from 'mongodb';
import type { AnyClusterCheck, ClusterVerdict, IndexDescription } from '../../../src/check.js';
import type { ExpectedSize } from '../../../src/finding/expected-size.js';
import { absent, present } from '../../../src/presence.js';
import type { FieldType } from '../../../src/profile/field-types.js';
import { FiguresSum } from '../../../src/workload/operations/figures.js';
import { operationShape } from '../../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder } from '../../../src/workload/shapes/placeholder.js';
import { traceWorkload } from '../../../src/workload/traced-workload.js';
import type {
  Operation,
  OperationFigures,
  OperationKind,
  SourcePart,
  Workload,
} from '../../../src/workload/workload.js';
import { ID_INDEX } from './index-builders.js';
import { reported, type ReportedProblem, withKnownFigures } from './reported-problem.js';

const DAY = 24 * 60 * 60 * 1_000;
const NOW = Date.UTC(2026, 10, 21);

/** An operation on `shop.orders` that the profiler recorded, with its figures. */
export interface Recorded {
  readonly kind?: OperationKind;
  readonly command: Document;
  readonly plan?: string;
  readonly truncated?: boolean;
  readonly figures?: Partial<OperationFigures>;
}

/** What is recorded, and what is known of `shop.orders`. */
export interface GivenWorkload {
  readonly recorded: readonly Recorded[];
  /** Null where the metadata could not be read. */
  readonly documents?: number | null;
  /** Bytes of a document: 200 unless given. */
  readonly bytes?: number;
  /** The size that it is expected to have in production. */
  readonly expected?: Omit<ExpectedSize, 'from'>;
  readonly indexes?: readonly IndexDescription[];
  readonly thresholds?: Readonly<Record<string, number>>;
  /** Fields that are known, by name if they hold numbers; no field's type is known unless given. */
  readonly fields?: readonly (string | FieldType)[];
  /** Whether all documents were sampled, and not a hundred. */
  readonly complete?: boolean;
  readonly indexSizes?: Readonly<Record<string, number>>;
  /** Documents that operations on another collection examine: so many that no query is a tenth of all, unless given. */
  readonly elsewhere?: number;
  /** How long the profiler was on, in days: 30 unless given. */
  readonly days?: number;
  /** What the profiler keeps: all operations, unless given. */
  readonly keeps?: 'all' | 'slow';
  readonly profiler?: Workload['sources']['profiler'];
}

/** A thousand executions that read 20,000 documents for ten, 5 ms each, unless given otherwise: 670,000 documents a day. */
function operation({
  kind = 'find',
  command,
  plan = 'COLLSCAN',
  truncated = false,
  figures = {},
}: Recorded): Operation {
  const executions = figures.executions ?? 1_000;
  return {
    shape: operationShape({ kind, namespace: 'shop.orders', command, truncated }, literalPlaceholder),
    figures: {
      profiler: {
        ...new FiguresSum().figures(),
        executions,
        milliseconds: executions * 5,
        documentsExamined: executions * 20_000,
        keysExamined: 0,
        documentsReturned: executions * 10,
        planSummaries: { [plan]: executions },
        ...figures,
      },
    },
  };
}

function readElsewhere(documentsExamined: number): Operation {
  return {
    shape: operationShape(
      { kind: 'find', namespace: 'shop.others', command: {}, truncated: false },
      literalPlaceholder,
    ),
    figures: { profiler: { ...new FiguresSum().figures(), executions: 1, milliseconds: 0, documentsExamined } },
  };
}

const none = (what: string) => absent('unsupported', `${what} is not there.`);

/** Judges the queries on `shop.orders`. */
export function judgeWorkload(check: AnyClusterCheck, given: GivenWorkload): readonly ClusterVerdict[] {
  const { recorded, documents = 20_000, bytes = 200, indexes = [], thresholds = {}, days = 30, keeps = 'all' } = given;
  const part: SourcePart = {
    database: 'shop',
    member: 'the primary',
    coverage: { operations: keeps, slowMilliseconds: 100, sampleRate: 1 },
    window: { from: NOW - days * DAY, to: NOW },
    entries: 1_000,
    ignored: 0,
    unreadable: 0,
    bounded: false,
  };
  const workload: Workload = {
    operations: [...recorded.map(operation), readElsewhere(given.elsewhere ?? 1e12)],
    views: [],
    sources: {
      profiler: given.profiler ?? present({ parts: [part], gaps: [] }),
      queryStats: none('query stats'),
      logFile: none('a log file'),
      recentLog: none('a log'),
      routerLog: none('a log of mongos'),
    },
    counters: none('serverStatus'),
  };
  const known = {
    collection: {
      namespace: 'shop.orders',
      database: 'shop',
      name: 'orders',
      kind: 'collection',
      clustered: false,
      ...(given.expected !== undefined && { expected: { ...given.expected, from: 'expect' } }),
    },
    indexes: present([ID_INDEX, ...indexes]),
    storage:
      documents === null
        ? absent('privilege', 'reading the sizes of shop.orders: not authorized.')
        : present({
            count: documents,
            size: documents * bytes,
            averageDocumentSize: bytes,
            indexSizes: given.indexSizes ?? null,
          }),
    fieldTypes:
      given.fields === undefined
        ? absent('insufficient', 'no documents')
        : present({ documents: 100, complete: given.complete ?? false, fields: given.fields.map(knownField) }),
  };
  const limits = Object.fromEntries(
    Object.entries(check.thresholds as Record<string, { default: number }>).map(([name, each]) => [name, each.default]),
  );
  const subject: unknown = {
    collections: new Map([['shop.orders', known]]),
    workload: traceWorkload(workload),
    server: { version: '6.0.5' },
  };
  return withKnownFigures(
    check.judge(subject as Parameters<AnyClusterCheck['judge']>[0], { ...limits, ...thresholds }),
  );
}

const knownField = (field: string | FieldType): FieldType =>
  typeof field === 'string'
    ? { path: field, types: { int: 100 }, documents: 100, elementsPerArray: null, longestString: null }
    : field;

/** The problems among the verdicts, as "severity path". */
export function foundIn(check: AnyClusterCheck, given: GivenWorkload): string[] {
  return problemsIn(check, given).map(({ severity, path }) => `${severity} ${path}`);
}

/** The problems among the verdicts. */
export function problemsIn(check: AnyClusterCheck, given: GivenWorkload): readonly ReportedProblem[] {
  return reported(judgeWorkload(check, given)).flatMap((verdict) => ('notJudged' in verdict ? [] : [verdict]));
}
