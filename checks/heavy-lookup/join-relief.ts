import type { RemedyStep } from '../../src/finding.js';
import { formatBytes, formatCount, inWords, plural } from '../../src/format.js';
import { documentsOf, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { unservedJoins } from '../../src/judgement/joins/unserved-joins.js';
import { onlyIf } from '../../src/only-if.js';
import type { JoinUse } from '../../src/workload/joins/workload-joins.js';
import type { JoinShape } from './join-shape.js';
import { readsPerWrite, type LookupLoad } from './lookup-load.js';
import type { Traits } from './traits.js';

/** Few enough to embed: "a couple of hundred documents" is the literature's limit, an order of magnitude below it is safe. */
const FEW_DOCUMENTS = 20;
/** Half a page of the storage engine (32 KB: SERVER-16182). */
const FEW_BYTES = 16 * 1024;
/** With fewer reads per write, copies cost more than joins. Judgement. */
const STABLE_READS_PER_WRITE = 10;
/** Documents from which reading all of them takes about a millisecond (0.5 to 1 µs each in memory, measured on 6.0.5). */
const LONG_SCAN = 1_000;
const MANY_JOINS = 3;
const ADVISED = 3;

/** What to do, by the shape of the joins: index, reorder, embed, copy or materialise. */
export function reliefSteps(
  { shapes, filtersAfter, joins }: Traits,
  load: LookupLoad,
  cluster: JoinedCluster,
): RemedyStep[] {
  const source = load.namespace;
  const byForeign = new Map(shapes.map((shape) => [shape.foreign, shape]));
  const texts = [
    ...missingIndexes(load, cluster),
    ...(filtersAfter ? shapes.slice(0, 1) : []).map(
      ({ foreign }) =>
        `Filter first: start the pipeline from ${foreign}, whose fields it filters by. Or copy those fields into ${source} and match them before the join.`,
    ),
    ...[...byForeign.values()].slice(0, ADVISED).map((shape) => adviceFor(shape, load, cluster)),
    ...onlyIf(
      joins >= MANY_JOINS,
      `Consider materialising the result of the pipeline that makes ${formatCount(joins)} joins: write it to a collection of its own with \`$merge\`, whenever its parts change or every few minutes.`,
    ),
  ];
  const advice =
    texts.length === 0
      ? [`Keep data that is read together in one document of ${source}, or materialise the result with \`$merge\`.`]
      : texts;
  const check = `Run mongolint again once the application has worked for a while: the share of joins on ${source} should be lower.`;
  return [...advice, check].map((text) => ({ text }));
}

/** "shop.items by `order`": where joins scan so many documents that an index comes first. */
export function unindexedPlaces({ joining }: LookupLoad, cluster: JoinedCluster): string[] {
  const uses = joining.flatMap(({ operation, joins }) =>
    joins.map((join): JoinUse => ({ join, operation, view: null })),
  );
  return unservedJoins(cluster, uses).flatMap((join) =>
    join.kind === 'unindexed' && (documentsOf(cluster, join.namespace) ?? 0) >= LONG_SCAN
      ? [`${join.namespace} by \`${join.path}\``]
      : [],
  );
}

function missingIndexes(load: LookupLoad, cluster: JoinedCluster): string[] {
  const places = unindexedPlaces(load, cluster);
  if (places.length === 0) return [];
  const named = inWords([...new Set(places)].slice(0, ADVISED));
  return [
    `First index ${named} (see missing-lookup-index). Then judge the joins again: without an index they seem heavier than they are.`,
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
      return isFew
        ? `Embed ${foreign} into ${into}: each document has ${formatCount(fanOut)} of them on average, ${formatBytes(bytesPerDocument)}. If some have hundreds, or their number keeps growing, embed only the few that are read with the document (subset pattern).`
        : `Keep the few of ${foreign} that are read with a document of ${into} inside it, such as the newest (subset pattern). Leave the rest where it is. Store totals and counts in the document too.`;
    case 'tree':
      return `Store the \`_id\`s of all ancestors in each document of ${foreign}, in an array with an index. One equality then finds everything below a document, at any depth, without the join.`;
    case 'array-of-references':
      return isFew
        ? `Embed the fields of ${foreign} that are read, in place of the references: a document of ${into} has ${formatCount(fanOut)} of them on average.`
        : `Copy the fields of ${foreign} that are read into the elements of the array beside the reference (extended reference). Or join one page of them at a time.`;
    default:
      return `Copy the fields of ${foreign} that are read into ${into}, or materialise the joined result with \`$merge\`.`;
  }
}

function copyAdvice(foreign: string, into: string, ratio: number | null): string {
  const reads = ratio === null || ratio === Infinity ? null : plural(Math.round(ratio), 'join');
  if (ratio !== null && ratio < STABLE_READS_PER_WRITE)
    return `Do not copy fields of ${foreign}: it is written too often (${reads} per write). Join fewer documents at a time, or keep it in a cache.`;
  const copy =
    foreign === into
      ? `Copy the few fields that are read into the document of ${into} that refers to them, beside the reference (extended reference).`
      : `Copy the few fields of ${foreign} that are read into ${into}, beside the reference (extended reference).`;
  const cost = `Each write to those fields must then update the copies too:`;
  if (ratio === null) return `${copy} ${cost} do it only if they are read far more often than written.`;
  if (ratio === Infinity) return `${copy} ${cost} no document of ${foreign} was changed while it was recorded.`;
  return `${copy} ${cost} there are ${reads} per write to ${foreign}.`;
}
