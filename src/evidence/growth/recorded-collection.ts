import type { Collection } from '../../inventory/collection.js';
import { ENOUGH_WRITES } from './combine-growth.js';
import { expectedOf } from './history/earlier-forecasts.js';
import type { GrowthEvidence } from './growth.js';
import { sketchOf } from './tracked/document-sketch.js';
import type { RecordedCollection } from './history/history-record.js';
import type { SampleMethod } from '../../profile/sampling/sample-plan.js';
import type { GrowthInput } from './measure-growth.js';
import { toldForecasts } from './history/steady-days.js';
import { summarize } from './history/quantile-summary.js';

type RecordedArray = RecordedCollection['arrays'][number];

/** What the history keeps of a collection; null if later runs could not recognise it, or nothing was sampled. */
export function recordedCollection(
  { namespace, uuid }: Pick<Collection, 'namespace' | 'uuid'>,
  { profile, profiled, documents, bytes, sample, salt }: GrowthInput,
  growth: GrowthEvidence,
): RecordedCollection | null {
  const sizes = [...profiled.sample.documentSizes];
  if (uuid === undefined || sizes.length === 0) return null;
  const arrays = [...profiled.lengths].flatMap(([path, { columns }]) =>
    columns.lengths.length === 0 ? [] : [{ path, lengths: summarize([...columns.lengths]), ...shownOf(growth, path) }],
  );
  const [sizeForecast] = toldForecasts(growth.sizes.forecast === null ? [] : [growth.sizes.forecast]);
  return {
    namespace,
    uuid,
    documents,
    ...(bytes !== null && { bytes }),
    complete: sample.complete && sizes.length === profile.documents,
    sizes: summarize(sizes),
    ...(sizeForecast !== undefined && { sizeForecast }),
    arrays,
    ...(salt !== null && isSameEachTime(sample.method) && { sketch: sketchOf(profiled, salt) }),
  };
}

function shownOf(
  { arrays }: GrowthEvidence,
  path: string,
): Pick<RecordedArray, 'expected' | 'held' | 'forecasts' | 'emptied'> {
  const array = arrays.find((one) => one.path === path);
  const oplog = array?.oplog;
  const expected = expectedOf(array?.growth ?? null);
  const held = array?.earlierForecasts?.latest ?? null;
  const forecasts = toldForecasts(array?.forecasts ?? []);
  return {
    ...(expected !== null && { expected }),
    ...(held !== null && { held }),
    ...(forecasts.length > 0 && { forecasts }),
    ...(oplog?.emptied === true && oplog.writes >= ENOUGH_WRITES && { emptied: true as const }),
  };
}

/** The random cursor gives other documents each time: hardly any would be recognised. */
function isSameEachTime(method: SampleMethod): boolean {
  return method !== 'random-cursor' && method !== 'random-sort';
}
