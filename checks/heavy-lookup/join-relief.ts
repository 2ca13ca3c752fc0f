import type { RemedyStep } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatBytes, formatCount, inWords } from '../../src/format.js';
import { type JoinedPart, joinsPerChange } from '../../src/judgement/joins/joined-part.js';
import { onlyIf } from '../../src/judgement/only-if.js';
import type { Workload } from '../../src/workload/workload.js';
import type { JoinLoad } from './join-load.js';

/** Up to which children are embedded: half a page of the storage engine (32 KB: SERVER-16182). */
const FEW_BYTES = 16 * 1024;
/** Documents joined to one, on average, that are worse than their share. Judgement: more than a page of them. */
export const WIDE = 100;
/** With fewer joins per change, copies cost more than joins. Judgement. */
const STABLE = 10;
/** Collections that are named. */
export const NAMED = 3;
/** Joins in one pipeline that are worse than their share. Judgement: one screen needs data from four collections. */
export const MANY_JOINS = 3;

/** What to do, by what the joins bring together: index, filter, embed, copy or materialise. */
export function reliefSteps(load: JoinLoad, workload: Workload): RemedyStep[] {
  const { namespace, parts, unindexed, figures } = load;
  const byForeign = [...new Map(parts.map((part) => [part.foreign, part])).values()];
  return stepsOf(
    ...onlyIf(
      unindexed.length > 0,
      `First index ${inWords(unindexed.slice(0, NAMED))} (see missing-lookup-index). Then judge the joins again: without an index they seem heavier than they are.`,
    ),
    ...onlyIf(
      load.discardsJoined,
      `Filter first: start the pipeline from ${figures.joined[0]}, whose fields it filters by. Or copy those fields into ${namespace} and match them before the join.`,
    ),
    ...byForeign.slice(0, NAMED).map((part) => adviceOn(part, load, workload)),
    ...onlyIf(
      figures.joinsPerPipeline >= MANY_JOINS,
      `Consider materialising the result of the pipeline that makes ${figures.joinsPerPipeline} joins: write it to a collection of its own with \`$merge\`, whenever its parts change or every few minutes.`,
    ),
    `Run mongolint again once the application has worked for a while: the share of joins on ${namespace} should be lower.`,
  );
}

function adviceOn({ foreign, relation, documents, bytes }: JoinedPart, load: JoinLoad, workload: Workload): string {
  const into = load.namespace;
  if (relation === 'tree')
    return `Store the \`_id\`s of all ancestors in each document of ${foreign}, in an array with an index. One equality then finds everything below a document, at any depth, without the join.`;
  if (relation === 'children')
    return documents !== null && documents < WIDE && bytes !== null && bytes <= FEW_BYTES
      ? `Embed ${foreign} into ${into}: each document has ${formatCount(documents)} of them on average, ${formatBytes(bytes)}. If some have hundreds, or their number keeps growing, embed only the few that are read with the document (subset pattern).`
      : `Keep the few of ${foreign} that are read with a document of ${into} inside it, such as the newest (subset pattern). Leave the rest where it is. Store totals and counts in the document too.`;
  if (relation === 'other')
    return `Copy the fields of ${foreign} that are read into ${into}, or materialise the joined result with \`$merge\`.`;
  const ratio = joinsPerChange(foreign, load, workload);
  if (ratio !== null && ratio < STABLE)
    return `Do not copy fields of ${foreign}: it is written too often (less than ${STABLE} joins per write). Join fewer documents at a time, or keep it in a cache.`;
  const known = ratio === Infinity ? 'none was recorded' : `there are ${formatCount(ratio ?? 0)} joins per write`;
  const worth = ratio === null ? 'do it only if they are read far more often than written' : known;
  return `Copy the few fields of ${foreign} that are read into ${into}, beside the reference (extended reference). Each write to those fields must then update the copies too: ${worth}.`;
}
