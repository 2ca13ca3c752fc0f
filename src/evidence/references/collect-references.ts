import pLimit from 'p-limit';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { groupedBy } from '../../grouped-by.js';
import type { Collection } from '../../inventory/collection.js';
import type { Absent } from '../evidence.js';
import { gapsOf, type Failure } from '../workload/source.js';
import { foundIds, readValues, type FieldValues } from './id-reads.js';
import { referenceQuestions, type ReferenceQuestion, type ReferringCollection } from './reference-questions.js';
import type { IdConversion, Reference, References } from './references.js';

/** Values looked for at first; the rest follows only where nearly all of these were found. */
const FIRST_VALUES = 4;
/** Of those, how many may be dangling. */
const FIRST_MISSES = 1;

/** Values of one field, to be looked for among the `_id`s of one collection. */
interface Probe {
  readonly namespace: string;
  readonly target: Collection;
  readonly field: FieldValues;
  /** Keys of the values that were found so far. */
  readonly found: Set<string>;
}

/**
 * Finds fields that hold the `_id`s of other collections of their database, by inclusion: a few sampled values of each are
 * looked for among the `_id`s of the others, as they are and converted. Values stay in here.
 *
 * At most two reads of a few documents per collection, and two look-ups by `_id` per collection that may be referred to.
 *
 * @param concurrency reads under way at once
 */
export async function collectReferences(
  reader: ClusterReader,
  collections: readonly ReferringCollection[],
  concurrency: number,
): Promise<References> {
  const { questions, gaps } = referenceQuestions(collections);
  const reads = new BoundedReads(concurrency);
  const probes = await probesOf(reader, questions, collections, reads);
  await lookUp(reader, probes, 0, FIRST_VALUES, reads);
  const promising = probes.filter(isPromising);
  await lookUp(reader, promising, FIRST_VALUES, Infinity, reads);
  const references = promising.map(referenceOf).sort((one, other) => other.found / other.values - one.found / one.values);
  return { references, gaps: [...gaps, ...reads.gaps()] };
}

/** Reads a few at once, and keeps what failed. */
class BoundedReads {
  readonly #limit;
  readonly #failures: Failure[] = [];

  constructor(concurrency: number) {
    this.#limit = pLimit(concurrency);
  }

  /** The answer, or null where the read failed. */
  async attempt<T>({ namespace }: Collection, read: () => Promise<T>): Promise<T | null> {
    try {
      return await this.#limit(read);
    } catch (error) {
      this.#failures.push({ place: namespace, error });
      return null;
    }
  }

  gaps(): Absent[] {
    return gapsOf(this.#failures, { operation: 'looking for references in', privilege: 'find on it' });
  }
}

async function probesOf(
  reader: ClusterReader,
  questions: readonly ReferenceQuestion[],
  collections: readonly ReferringCollection[],
  reads: BoundedReads,
): Promise<Probe[]> {
  const storage = new Map(collections.map(({ collection, evidence }) => [collection, evidence.storage]));
  const probes = [...groupedBy(questions, ({ collection }) => collection)].map(async ([collection, asked]) => {
    const stored = storage.get(collection);
    const count = stored?.present === true ? stored.value.count : 0;
    const paths = asked.map(({ path }) => path);
    const fields = await reads.attempt(collection, () => readValues(reader, collection, paths, count));
    return asked.flatMap(({ path, targets }) => {
      const field = fields?.find((each) => each.path === path);
      if (field === undefined || field.values.length === 0) return [];
      return targets.map((target): Probe => ({ namespace: collection.namespace, target, field, found: new Set() }));
    });
  });
  return (await Promise.all(probes)).flat();
}

/** Looks a part of the values up, once per target for all fields together. */
async function lookUp(reader: ClusterReader, probes: readonly Probe[], from: number, to: number, reads: BoundedReads): Promise<void> {
  const lookUps = [...groupedBy(probes, ({ target }) => target)].map(async ([target, ofTarget]) => {
    const forms = ofTarget.flatMap(({ field }) => field.values.slice(from, to).flat());
    const keys = (await reads.attempt(target, () => foundIds(reader, target, forms))) ?? new Set<string>();
    for (const { field, found } of ofTarget) {
      for (const { key } of field.values.slice(from, to).flat()) if (keys.has(key)) found.add(key);
    }
  });
  await Promise.all(lookUps);
}

function isPromising({ field, found }: Probe): boolean {
  const first = field.values.slice(0, FIRST_VALUES);
  const hits = first.filter((forms) => forms.some(({ key }) => found.has(key))).length;
  return hits > 0 && hits >= first.length - FIRST_MISSES;
}

function referenceOf({ namespace, target, field, found }: Probe): Reference {
  const hits = field.values.flatMap((forms) => forms.find(({ key }) => found.has(key)) ?? []);
  return {
    namespace,
    path: field.path,
    target: target.namespace,
    values: field.values.length,
    found: hits.length,
    conversion: mostFrequent(hits.map(({ conversion }) => conversion)),
    isRepeated: field.isRepeated,
  };
}

function mostFrequent(conversions: readonly (IdConversion | null)[]): IdConversion | null {
  const [most] = [...groupedBy(conversions, (each) => each)].sort(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? null;
}
