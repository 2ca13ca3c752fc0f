import { createHash } from 'node:crypto';
import type { Collection } from '../../inventory/collection.js';
import { MS_PER_DAY } from '../../time-units.js';
import type { DocumentProfile } from '../../profile/document-profile.js';
import { CollectionRuns, type EarlierCollection } from './collection-runs.js';
import type { CarriedGrowth, GrowthEvidence } from './growth.js';
import type { CurrentRun } from './history/run-comparison.js';
import type { GrowthInput } from './measure-growth.js';
import { quantileAt, type QuantileSummary } from './history/quantile-summary.js';
import { recordedCollection } from './recorded-collection.js';
import { sketchedDocuments } from './tracked/tracked-sample.js';

/** What a file carries of a collection's growth; null if later files could not recognise it, or nothing was sampled. */
export function carriedGrowth(
  collection: Pick<Collection, 'namespace' | 'uuid'>,
  input: GrowthInput,
  growth: GrowthEvidence,
): CarriedGrowth | null {
  if (collection.uuid === undefined) return null;
  const recorded = recordedCollection(collection, { ...input, salt: carriedSalt(collection.uuid) }, growth);
  if (recorded === null) return null;
  const { namespace: _, uuid: __, ...rest } = recorded;
  return { ...rest, daysApart: input.elapsed / MS_PER_DAY };
}

/** The same in each file of a collection, and unknown to whoever has the files alone: they hold another hash of the UUID. */
function carriedSalt(uuid: string): string {
  return createHash('sha256').update(`mongolint sketch ${uuid}`).digest('hex');
}

/** Growth as earlier files show it too. When each document was created is unknown by now. @param earlier in order of time */
export function grownSince(
  growth: GrowthEvidence,
  at: number,
  profile: DocumentProfile,
  earlier: readonly EarlierCollection[],
): GrowthEvidence {
  const { carried, sources } = growth;
  if (carried === undefined || earlier.length === 0) return growth;
  const { sketch, sizes, documents, bytes = null, complete, daysApart } = carried;
  const runs = new CollectionRuns(earlier, {
    at,
    documents,
    bytes,
    sampled: sizes.count,
    complete,
    tests: growth.arrays.length + 1,
    tracked: sketch === undefined ? null : () => sketchedDocuments(sketch, sketch.sizes.length === sizes.count),
  });
  const history = runs.source('earlier evidence files');
  // A history file that covers more time knows more.
  if (sources.history.present && history.present && sources.history.value.days >= history.value.days) return growth;
  return {
    ...growth,
    arrays: growth.arrays.map((array) => {
      const path = profile.paths.find((one) => one.path === array.path);
      const lengths = carried.arrays.find((one) => one.path === array.path)?.lengths;
      if (path === undefined || lengths === undefined) return array;
      const { age, oplog, mostAreOlder = false } = array;
      return runs.array(path, valuesIn(lengths), { age, oplog, mostAreOlder, daysApart }, profile);
    }),
    sizes: runs.sizes(valuesIn(sizes), growth.sizes.age),
    sources: { ...sources, history },
    ...runs.count(),
  };
}

/** As many values as there were, of the same distribution. */
function valuesIn(summary: QuantileSummary): CurrentRun['values'] {
  const last = Math.max(1, summary.count - 1);
  return Array.from({ length: summary.count }, (_, rank) => ({ value: quantileAt(summary, rank / last), time: null }));
}
