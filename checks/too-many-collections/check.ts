import { sum } from 'simple-statistics';
import { type ClusterVerdict, defineClusterCheck, type Server, type StorageStatistics } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatCount, plural } from '../../src/format.js';
import { groupedByEach } from '../../src/grouped-by.js';
import { type SeverityLines, severityOf } from '../../src/judgement/margins.js';
import { onlyIf } from '../../src/judgement/only-if.js';
import { type CollectionFamily, familiesOf, type Known } from './families.js';

/**
 * A node with thousands of collections, or near its limit of open files, is a finding; so is a family of a hundred collections that
 * hold the same kind of thing: their names differ in a number, date or id, or they have the same fields.
 */
export const tooManyCollections = defineClusterCheck({
  id: 'too-many-collections',
  title: 'Too many collections',
  summary: 'more collections than a node handles well, or one kind of thing divided into many collections by name',
  needs: ['storage', 'fieldTypes'],
  clusterNeeds: ['server'],
  lostByPseudonyms: 'collections whose names differ by a date or an id were not grouped.',
  thresholds: {
    info: {
      default: 5_000,
      unit: 'collections',
      description: 'collections on one replica set or shard',
      source: 'MongoDB University, "Schema Patterns and Antipatterns": an M10 cluster becomes slower',
    },
    warning: {
      default: 10_000,
      unit: 'collections',
      description: 'collections on one replica set or shard',
      source: 'MongoDB, "Schema Design Anti-Patterns: Massive Number of Collections"',
    },
    family: {
      default: 100,
      unit: 'collections',
      description: 'collections of one kind, by names and fields, for an info; ten times as many are a warning',
      source:
        'judgement: one a day for three months, the example of "Massive Number of Collections"; no model has so many kinds of things',
    },
  },
  retiredThresholds: ['familyWarning', 'openFiles'],
  judge({ collections, server }, { info, warning, family }) {
    const known = [...collections.values()].filter(({ collection }) => collection.kind !== 'view');
    const families = familiesOf(known, family);
    return [
      ...nodeVerdicts(known, families, server, { info, warning, error: Infinity }),
      ...families.map((each) => familyProblem(each, family)),
    ];
  },
});

function familyProblem({ namespaces, members, dividedBy }: CollectionFamily, least: number): ClusterVerdict {
  const total = (of: (storage: StorageStatistics) => number | null) => {
    const figures = members.flatMap(({ storage }) => (storage.present ? of(storage.value) : null) ?? []);
    return figures.length === members.length ? sum(figures) : null;
  };
  return {
    namespace: namespaces,
    severity: members.length >= 10 * least ? 'warning' : 'info',
    confidence: 'medium',
    path: null,
    message:
      `${formatCount(members.length)} collections have ${dividedBy === 'name' ? 'the same fields, and names that differ in one part' : `names that differ only in a ${dividedBy}`}. ` +
      'Their number grows with the data. A query over several of them needs $unionWith or application code, and each index exists once per collection.',
    evidence: {
      source: 'listCollections and collStats',
      window: `${plural(members.length, 'collection')}`,
      collections: members.length,
      indexes: total(({ indexSizes }) => indexSizes && Object.keys(indexSizes).length),
      documents: total(({ count }) => count),
      size: total(({ size }) => size),
      dividedBy,
    },
    remedy: {
      steps: stepsOf(
        ...(dividedBy === 'date' ? DATED : NUMBERED),
        'Check whether the same _id occurs in several collections: $merge silently makes one document of them. If so, include in the _id what the name says now.',
        'Copy the documents and switch the application. Keep the old collections until the counts agree and nothing reads them.',
      ),
    },
  };
}

const DATED = [
  'Create one collection with the date as a field. For measurements, create a time-series collection with expireAfterSeconds. Instead of dropping collections, let a TTL index remove old documents.',
  'Create an index that begins with the field that queries search, then the date. It replaces the name.',
];

const NUMBERED = [
  'Create one collection, with a field for what the name says now. Let its indexes begin with that field.',
  'Alternative, if tenants must be kept apart: a database for each, with its own privileges, or a shard key that begins with the tenant. A view with a filter can replace the old name.',
];

/** Share of the files that may be open at once, from which collections and indexes are a warning: connections need some. Judgement. */
const NEAR_LIMIT = 0.8;

/** "UNIX ulimit Settings" in the manual: the least limit of open files. */
const ADVISED_OPEN_FILES = 64_000;

/** The node that holds most collections: too many, or too many files for its process. */
function nodeVerdicts(
  known: readonly Known[],
  [largest]: readonly CollectionFamily[],
  { collections: counted, openFilesLimit: limit }: Server,
  lines: SeverityLines,
): ClusterVerdict[] {
  const nodes = groupedByEach(known, (each) => shardsOf(each) ?? ['']).values();
  const linted = [...nodes].toSorted((one, other) => other.length - one.length)[0] ?? [];
  const isWhole = counted === known.length;
  // Not of those that are linted alone: what they are part of is as heavy, whichever they are.
  const all = known.some((each) => shardsOf(each) !== undefined) ? undefined : counted;
  const collections = all ?? linted.length;
  const indexes = sum(
    linted.map(({ storage }) => Object.keys((storage.present && storage.value.indexSizes) || { _id_: 0 }).length),
  );
  const files = collections + indexes;
  const open = limit?.present === true && files >= NEAR_LIMIT * limit.value ? limit.value : null;
  const severity = open === null ? severityOf(collections, lines) : 'warning';
  const isUnknown = limit?.present === false && files >= NEAR_LIMIT * ADVISED_OPEN_FILES;
  const unknown: ClusterVerdict[] = isUnknown ? [{ notJudged: limit.reason, detail: limit.detail }] : [];
  if (severity === null) return unknown;
  const empty = known.filter(
    ({ collection: { kind }, storage }) => kind === 'collection' && storage.present && storage.value.count === 0,
  ).length;
  const problem: ClusterVerdict = {
    namespace: '*',
    severity,
    confidence: 'high',
    path: null,
    message:
      `One node holds ${isWhole || all !== undefined ? '' : 'at least '}${plural(collections, 'collection')}${isWhole ? ` with ${plural(indexes, 'index', 'indexes')}` : ''}. Each is a file that the server opens ` +
      `and checkpoints. ${open === null ? 'Starts, elections and checkpoints become slow, and unused files take memory.' : `Its process may have ${formatCount(open)} files open at once, connections among them; with most of these ${formatCount(files)} in use, it logs "Too many open files" and may end.`}`,
    evidence: {
      source: 'listCollections and collStats',
      window: `${plural(known.length, 'linted collection')}`,
      collections,
      ...(isWhole && { indexes }),
      ...((isWhole || open !== null) && { files }),
      ...(open !== null && { openFilesLimit: open }),
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
  return [problem, ...unknown];
}

/** Undefined if it is not sharded. */
function shardsOf({ storage }: Known): string[] | undefined {
  return storage.present ? storage.value.byShard?.map(({ shard }) => shard) : undefined;
}
