import { sum } from 'simple-statistics';
import type { ClusterVerdict, Server } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatCount, plural } from '../../src/format.js';
import { groupedByEach } from '../../src/grouped-by.js';
import { onlyIf } from '../../src/judgement/only-if.js';
import { type SeverityLines, severityOf } from '../../src/judgement/severity-lines.js';
import type { CollectionFamily, Known } from './families.js';

/** Share of the files that may be open at once, from which collections and indexes are a warning: connections need some. Judgement. */
const NEAR_LIMIT = 0.8;
/** "UNIX ulimit Settings" in the manual: the least limit of open files. */
const ADVISED_OPEN_FILES = 64_000;

/** The node that holds most collections: too many, or too many files for its process. */
export function nodeVerdicts(
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
