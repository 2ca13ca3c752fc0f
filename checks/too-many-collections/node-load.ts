import type { ClusterVerdict, Server, Severity } from '../../src/check.js';
import { formatCount, plural } from '../../src/format.js';
import { type SeverityLines, severityOf } from '../../src/judgement/severity-lines.js';
import { onlyIf } from '../../src/only-if.js';
import { stepsOf } from '../../src/remedy.js';
import type { Known } from './family-problem.js';
import type { CollectionFamily } from './named-families.js';

/** The shard, replica set or server that holds most of the linted collections. */
function heaviestNode(known: readonly Known[]) {
  const loads = new Map<string, { collections: number; indexes: number }>([['', { collections: 0, indexes: 0 }]]);
  for (const { storage } of known) {
    const shards = storage.present ? (storage.value.byShard?.map(({ shard }) => shard) ?? ['']) : [''];
    // Each has one on _id at least.
    const indexes = storage.present ? Object.keys(storage.value.indexSizes ?? { _id_: 0 }).length : 1;
    for (const shard of shards) {
      const load = loads.get(shard) ?? { collections: 0, indexes: 0 };
      loads.set(shard, { collections: load.collections + 1, indexes: load.indexes + indexes });
    }
  }
  return [...loads.values()].reduce((most, load) => (load.collections > most.collections ? load : most));
}

/** What a node holds. */
interface NodeLoad {
  readonly collections: number;
  /** Null if not all collections are linted. */
  readonly indexes: number | null;
  /** False if there may be more collections. */
  readonly isExact: boolean;
}

export function nodeVerdicts(
  known: readonly Known[],
  families: readonly CollectionFamily[],
  { collections: counted, openFilesLimit: limit }: Server,
  lines: SeverityLines,
): ClusterVerdict[] {
  const linted = heaviestNode(known);
  const isSharded = known.some(({ storage }) => storage.present && storage.value.byShard !== undefined);
  const isWhole = counted === known.length;
  const isExact = isWhole || (counted !== undefined && !isSharded);
  // Not of those that are linted alone: what they are part of is as heavy, whichever they are.
  const collections = isWhole || !isExact ? linted.collections : (counted ?? 0);
  const load: NodeLoad = { collections, indexes: isWhole ? linted.indexes : null, isExact };
  const files = collections + linted.indexes;
  if (limit?.present === true && files >= NEAR_LIMIT * limit.value)
    return [nodeProblem(load, 'warning', known, families, { files, limit: limit.value })];
  const isUnknown = limit?.present === false && files >= NEAR_LIMIT * ADVISED_OPEN_FILES;
  const unknown: ClusterVerdict[] = isUnknown ? [{ notJudged: limit.reason, detail: limit.detail }] : [];
  const severity = severityOf(collections, lines);
  if (!isExact && severity === 'info') return [{ notJudged: 'bound', detail: notCounted(collections) }, ...unknown];
  return [...(severity === null ? [] : [nodeProblem(load, severity, known, families)]), ...unknown];
}

/** Share of the files that may be open at once, from which collections and indexes are a warning: connections need some. Judgement. */
const NEAR_LIMIT = 0.8;

/** "UNIX ulimit Settings" in the manual: the least limit of open files. */
const ADVISED_OPEN_FILES = 64_000;

function notCounted(least: number): string {
  return `a node holds ${plural(least, 'linted collection')}, and others that were not counted: a warning needs to know how many. Lint without --include, with a user that can list every database.`;
}

function nodeProblem(
  { collections, indexes, isExact }: NodeLoad,
  severity: Severity,
  known: readonly Known[],
  families: readonly CollectionFamily[],
  open: { readonly files: number; readonly limit: number } | null = null,
): ClusterVerdict {
  const empty = known.filter(
    ({ collection, storage }) => collection.kind === 'collection' && storage.present && storage.value.count === 0,
  ).length;
  const [largest] = families;
  return {
    namespace: '*',
    severity,
    confidence: 'high',
    path: null,
    message:
      `One node holds ${isExact ? '' : 'at least '}${plural(collections, 'collection')}${indexes === null ? '' : ` with ${plural(indexes, 'index', 'indexes')}`}. Each is a file that the server opens ` +
      `and checkpoints. ${open === null ? 'Starts, elections and checkpoints become slow, and unused files take memory.' : `Its process may have ${formatCount(open.limit)} files open at once, connections among them; with most of these ${formatCount(open.files)} in use, it logs "Too many open files" and may end.`}`,
    evidence: {
      source: 'listCollections and collStats',
      window: `${plural(known.length, 'linted collection')}`,
      collections,
      ...(indexes !== null && { indexes, files: collections + indexes }),
      ...(open !== null && { files: open.files, openFilesLimit: open.limit }),
      emptyCollections: empty,
    },
    remedy: {
      steps: stepsOf(
        ...onlyIf(
          open !== null,
          `Raise the limit of the server's process to ${formatCount(ADVISED_OPEN_FILES)} or more: LimitNOFILE in its systemd unit, or ulimit -n where it is started. Then restart the members, one after the other.`,
        ),
        largest === undefined
          ? 'Merge collections that hold the same kind of thing for different tenants or times: one collection, with a field for what the name says now.'
          : `Begin with ${largest.namespaces}: ${formatCount(largest.members.length)} collections of one kind of thing, which belong in one.`,
        `Drop collections that nobody needs${empty === 0 ? '' : ` (${formatCount(empty)} are empty)`}. This cannot be undone.`,
        'Drop indexes that no query uses (see unused-index and redundant-index).',
      ),
    },
  };
}
