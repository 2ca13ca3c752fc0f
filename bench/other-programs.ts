/** Programs that look for faults of the same kind: how they are run, and which check stands for what they name. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LONGEST_MS = 10 * 60_000;
const LONGEST_OUTPUT = 512 * 1024 * 1024;

/** What a program reports of one database. */
export interface OtherFinding {
  /** Empty if it is about the database. */
  readonly collection: string;
  /** The checks of mongolint that report such a fault; several, as a program may have fewer words for it. */
  readonly checks: readonly string[];
  /** How it counts if the design is sound: above the lowest levels of the program, at these, or not at all. */
  readonly noise: 'loud' | 'low' | 'none';
  /** All that it says. */
  readonly text: string;
}

/** A database that an application used while its operations were recorded. */
export interface UsedDatabase {
  readonly uri: string;
  readonly name: string;
  /** The source of what the application does, for programs that read it. */
  readonly source: string;
}

export interface OtherProgram {
  readonly name: string;
  findingsOf(path: string, database: UsedDatabase): Promise<OtherFinding[]>;
}

const SEARCHES = [
  'collection-scan',
  'poor-targeting',
  'in-memory-sort',
  'unselective-filter',
  'case-insensitive-regex',
  'deep-skip',
  'unindexed-reference',
  'missing-lookup-index',
  'heavy-lookup',
];
const INDEXES = ['redundant-index', 'unused-index', 'too-many-indexes'];
const LARGE = ['oversized-document', 'bloated-document', 'outlier-document'];
const ARRAYS = ['unbounded-array', 'fast-growing-array', 'long-reference-array'];

/**
 * Its types that can name a labelled fault. The others are not counted: on users, replica sets and connection strings, and on
 * fields that the source does not name, as the source here is an extract.
 */
const OF_MONGOSPECTRE: Readonly<Record<string, readonly string[]>> = {
  MISSING_INDEX: SEARCHES,
  UNINDEXED_QUERY: SEARCHES,
  SUGGEST_INDEX: SEARCHES,
  COMPOUND_INDEX_SUGGESTION: SEARCHES,
  INDEX_ORDER_WARNING: SEARCHES,
  PARTIAL_COVERAGE: SEARCHES,
  SLOW_QUERY_SOURCE: SEARCHES,
  COLLECTION_SCAN_SOURCE: SEARCHES,
  FREQUENT_SLOW_QUERY: SEARCHES,
  UNUSED_INDEX: INDEXES,
  DUPLICATE_INDEX: INDEXES,
  REDUNDANT_INDEX: INDEXES,
  SINGLE_FIELD_REDUNDANT: INDEXES,
  ORPHANED_INDEX: INDEXES,
  INDEX_BLOAT: [...INDEXES, 'bucket-candidate'],
  WRITE_HEAVY_OVER_INDEXED: INDEXES,
  UNUSED_COLLECTION: ['empty-collection', 'too-many-collections'],
  DYNAMIC_COLLECTION: ['too-many-collections'],
  VALIDATOR_MISSING: ['missing-validator'],
  TYPE_INCONSISTENCY: ['mixed-types', 'typed-values-as-strings', 'lookup-type-mismatch'],
  FIELD_NAME_COLLISION: ['mixed-types', 'schema-versions'],
  RARE_FIELD: ['schema-versions', 'dynamic-field-names'],
  UNBOUNDED_ARRAY: [...ARRAYS, 'outlier-document'],
  DEEP_NESTING: ['deep-nesting'],
  LARGE_DOCUMENT: [...LARGE, ...ARRAYS],
  EXCESSIVE_FIELD_COUNT: ['dynamic-field-names', 'bloated-document'],
  NUMERIC_FIELD_NAMES: ['dynamic-field-names'],
  OVERSIZED_COLLECTION: ['endless-collection'],
};

const OF_INDEXWRIGHT: Readonly<Record<string, readonly string[]>> = {
  collscan: SEARCHES,
  sort_in_memory: SEARCHES,
  docs_examined_ratio: SEARCHES,
  low_selectivity_index: SEARCHES,
  unanchored_regex: ['unselective-filter', 'case-insensitive-regex'],
  negation_predicate: ['unselective-filter'],
  large_in: ['long-in-list'],
  lookup_no_index: ['missing-lookup-index', 'heavy-lookup'],
  duplicate_index: INDEXES,
  redundant_index: INDEXES,
  unused_index: INDEXES,
  too_many_indexes: INDEXES,
};

/** It takes all that the profiler recorded for slow; here, that is every operation. So these count if they name a fault, never as noise. */
const OF_EACH_OPERATION = new Set(['SLOW_QUERY_SOURCE', 'FREQUENT_SLOW_QUERY']);

/** Of the profiler, it fails beyond a cursor's first batch of 101: it sends a time limit with getMore, which the server refuses. */
const PROFILER_LIMIT = '100';

const LOUD = new Set(['critical', 'high', 'medium']);

/** Both of its commands: of `check`, with documents sampled, the profiler read, and the source of the application. */
const mongospectre: OtherProgram = {
  name: 'mongospectre',
  async findingsOf(path, { uri, name, source }) {
    const folder = await mkdtemp(join(tmpdir(), 'verdicts-'));
    try {
      await writeFile(join(folder, 'application.js'), source);
      const common = ['--uri', uri, '--database', name, '--format', 'json', '--no-ignore', '--timeout', '5m'];
      const reads = ['--repo', folder, '--sample', '1000', '--profile', '--profile-limit', PROFILER_LIMIT];
      const audited = await reportOf(path, ['audit', ...common]);
      const checked = await reportOf(path, ['check', ...common, ...reads]);
      const findings = [...(audited.findings ?? []), ...(checked.findings ?? [])];
      // One that both commands report counts once.
      const distinct = new Map(findings.map((each) => [[each.type, each.collection, each.message].join('\n'), each]));
      return [...distinct.values()]
        .filter(({ database, collection }) => database === name && collection?.startsWith('system.') !== true)
        .map((each) => told(each, each.collection ?? '', OF_MONGOSPECTRE[each.type ?? '']));
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

const indexwright: OtherProgram = {
  name: 'indexwright',
  async findingsOf(path, { uri, name }) {
    const { findings } = await reportOf(path, ['analyze', '--uri', uri, '--db', name, '--format', 'json']);
    return (findings ?? []).map((each) =>
      told(each, (each.ns ?? '').slice(name.length + 1), OF_INDEXWRIGHT[each.rule ?? '']),
    );
  },
};

/** All that can be named in a call of the bench. */
export const OTHER_PROGRAMS: readonly OtherProgram[] = [mongospectre, indexwright];

interface ReportedFinding {
  readonly severity: string;
  readonly database?: string;
  readonly collection?: string;
  readonly type?: string;
  readonly message?: string;
  readonly ns?: string;
  readonly rule?: string;
}

function told(finding: ReportedFinding, collection: string, checks: readonly string[] = []): OtherFinding {
  const { severity, type = '' } = finding;
  const level = LOUD.has(severity) ? 'loud' : 'low';
  const noise = checks.length === 0 || OF_EACH_OPERATION.has(type) ? 'none' : level;
  return { collection, checks, noise, text: JSON.stringify(finding) };
}

/** Exit codes 1 and 2 say that there are findings: what counts is whether a report came. */
function reportOf(path: string, args: readonly string[]): Promise<{ findings?: ReportedFinding[] | null }> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: LONGEST_OUTPUT, timeout: LONGEST_MS };
    execFile(path, args, options, (error, output, errors) => {
      if (output.trimStart().startsWith('{')) resolve(JSON.parse(output));
      else reject(new Error(`${path} ${args[0]} printed no report: ${errors || error?.message}`));
    });
  });
}
