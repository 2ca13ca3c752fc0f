import { formatBytes, formatCount, inWords, plural } from '../../format.js';
import type { JoinUse } from '../../workload/joins/workload-joins.js';
import type { JoinShape } from './join-shape.js';
import { documentsOf, type JoinedCluster } from './joined-cluster.js';
import { readsPerWrite, type LookupLoad } from './lookup-load.js';
import { unservedJoins } from './unserved-joins.js';

/** What can be done about joins that take much of the work, by what they bring together. */
export interface Relief {
  readonly shapes: readonly JoinShape[];
  readonly filtersAfter: boolean;
  /** Joins of the heaviest operation. */
  readonly joins: number;
}

/** Few enough to embed: "a couple of hundred documents" is the literature's limit, an order of magnitude below it is safe. */
const FEW_DOCUMENTS = 20;
/** Half a page of the storage engine (32 KB: SERVER-16182). */
const FEW_BYTES = 16 * 1024;
/** Written more often than once in so many reads, copies cost more than joins. Judgement. */
const STABLE_READS_PER_WRITE = 10;
/** Documents from which reading all of them takes about a millisecond (0.5 to 1 µs each in memory, measured on 6.0.5). */
const LONG_SCAN = 1_000;
/** From so many joins on the result itself is worth keeping. */
const MANY_JOINS = 3;
/** Joined collections that the advice goes through. */
const ADVISED = 3;

/** What to do, in sentences: reorder, embed, copy or materialise, as the shape of the joins asks for. */
export function relief({ shapes, filtersAfter, joins }: Relief, load: LookupLoad, cluster: JoinedCluster): string {
  const source = load.namespace;
  const [first] = shapes;
  const byForeign = new Map(shapes.map((shape) => [shape.foreign, shape]));
  const sentences = [
    ...missingIndexes(load, cluster),
    ...(filtersAfter && first !== undefined
      ? [
          `Filter first: start the pipeline from ${first.foreign}, whose fields it filters by, or copy those fields into ${source} and match them before the join.`,
        ]
      : []),
    ...[...byForeign.values()].slice(0, ADVISED).map((shape) => adviceFor(shape, load, cluster)),
    ...(joins >= MANY_JOINS
      ? [
          `With ${formatCount(joins)} joins in one pipeline, consider to materialise its result: $merge into a collection of its own, when the parts change or every few minutes.`,
        ]
      : []),
  ];
  return sentences.length === 0
    ? `Keep what is read together in one document of ${source}, or materialise the result with $merge.`
    : sentences.join(' ');
}

/** Without their indexes, joins take more time than they need, and seem heavier than they are. */
function missingIndexes({ joining }: LookupLoad, cluster: JoinedCluster): string[] {
  const uses = joining.flatMap(({ operation, joins }) =>
    joins.map((join): JoinUse => ({ join, operation, view: null })),
  );
  const places = unservedJoins(cluster, uses).flatMap((join) =>
    join.kind === 'unindexed' && (documentsOf(cluster, join.namespace) ?? 0) >= LONG_SCAN
      ? [`${join.namespace} by \`${join.path}\``]
      : [],
  );
  if (places.length === 0) return [];
  return [
    `First index ${inWords([...new Set(places)].slice(0, ADVISED))} (see missing-lookup-index), and judge by what the joins cost then.`,
  ];
}

function adviceFor(shape: JoinShape, load: LookupLoad, cluster: JoinedCluster): string {
  const { foreign, relation, fanOut, bytesPerDocument } = shape;
  const into = load.namespace;
  const isFew =
    fanOut !== null && fanOut <= FEW_DOCUMENTS && bytesPerDocument !== null && bytesPerDocument <= FEW_BYTES;
  switch (relation) {
    case 'reference':
      return copyAdvice(foreign, into, readsPerWrite(load, foreign, cluster));
    case 'children':
      if (isFew) {
        return (
          `Embed ${foreign} into ${into}: there are ${formatCount(fanOut)} to a document on average, ${formatBytes(bytesPerDocument)}. Where some have ` +
          'hundreds, or get ever more, embed only the few that are read with the document (subset pattern).'
        );
      }
      return `Keep the few of ${foreign} that are read with a document of ${into} inside it, the newest for example, and the rest where it is (subset pattern); totals and counts belong into the document too.`;
    case 'tree':
      return `Store in each document of ${foreign} the _ids of all its ancestors, in an array with an index: what is below one, at any depth, is then found by one equality, without the join.`;
    case 'array-of-references':
      if (isFew)
        return `Embed what is read of ${foreign} in place of the references: ${formatCount(fanOut)} to a document of ${into} on average.`;
      return `Copy the fields of ${foreign} that are read into the elements of the array beside the reference (extended reference), or join a page of them at a time.`;
    default:
      return `Copy the fields of ${foreign} that are read into ${into}, or materialise the joined result with $merge.`;
  }
}

function copyAdvice(foreign: string, into: string, ratio: number | null): string {
  const copy =
    foreign === into
      ? `Copy the few fields that are read into the document of ${into} that refers to them, beside the reference (extended reference)`
      : `Copy the few fields of ${foreign} that are read into ${into}, beside the reference (extended reference)`;
  if (ratio === null) return `${copy}, if they are read far more often than written.`;
  if (ratio === Infinity) return `${copy}: while it was watched, ${foreign} was not written at all.`;
  const reads = `${plural(Math.round(ratio), 'join')} for each write to it`;
  if (ratio >= STABLE_READS_PER_WRITE) return `${copy}: there are ${reads}.`;
  return `${foreign} is written too often to copy (${reads}): join fewer documents at a time, or keep it in a cache.`;
}
