import pLimit from 'p-limit';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { groupedBy } from '../grouped-by.js';
import type { Collection } from '../inventory/collection.js';
import { findInGroups } from './grouped-finds.js';
import { newestDocuments, readValues, type FieldValues } from './id-reads.js';
import { distinctValues, formsOf, type IdentifierForm } from './identifier-forms.js';
import { BoundedReads, lookUpTargets } from './reference-look-ups.js';
import { idFamilies, referenceQuestions, type ReferenceQuestion } from './reference-questions.js';
import type { IdConversion, ReadCollection, Reference, References } from './references.js';

/** The rest follows only if one of these is found. If three in ten dangle, all four do once in 120 times. */
const FIRST_VALUES = 4;

/** Databases whose fields are held against collections at once: 100 collections with two fields each are 20,000 probes. */
const DATABASES_AT_ONCE = 4;

interface Probe {
  readonly question: ReferenceQuestion;
  readonly target: Collection;
  readonly field: FieldValues;
  /** Null until one is found, which is rare. */
  found: Set<string> | null;
}

/**
 * Finds fields that hold `_id`s of other collections of their database: a few sampled values of each are looked up, as
 * they are and converted. Values stay in here.
 *
 * Reads at most a few documents twice per collection, and two look-ups by `_id` per possible target.
 *
 * @param concurrency reads at once
 */
export async function collectReferences(
  reader: ClusterReader,
  collections: readonly ReadCollection[],
  concurrency: number,
): Promise<References> {
  const { questions, gaps } = referenceQuestions(collections);
  const reads = new BoundedReads(concurrency, 'looking for references in');
  const evidence = new Map(collections.map((each) => [each.collection, each.evidence]));
  const limit = pLimit(DATABASES_AT_ONCE);
  const ofDatabases = [...groupedBy(questions, ({ collection }) => collection.database).values()];
  const found = await Promise.all(
    ofDatabases.map((asked) => limit(() => referencesAmong(reader, asked, evidence, reads))),
  );
  const references = found.flat().sort((one, other) => other.found / other.values - one.found / one.values);
  return { references, gaps: [...gaps, ...reads.gaps()] };
}

type EvidenceByCollection = ReadonlyMap<Collection, ReadCollection['evidence']>;

async function referencesAmong(
  reader: ClusterReader,
  questions: readonly ReferenceQuestion[],
  evidence: EvidenceByCollection,
  reads: BoundedReads,
): Promise<Reference[]> {
  const probes = await probesOf(reader, questions, evidence, reads);
  const targets = new Set(probes.map(({ target }) => target));
  const families = new Map([...targets].map((target) => [target, idFamilies(evidence.get(target) ?? {})]));
  const lookUpPart = (part: readonly Probe[], from: number, to: number) =>
    lookUp(reader, part, (forms) => forms.slice(from, to), families, reads);
  await lookUpPart(probes, 0, FIRST_VALUES);
  const promising = probes.filter(({ found }) => found !== null);
  await lookUpPart(promising, FIRST_VALUES, Infinity);
  return promising.map(referenceOf);
}

async function probesOf(
  reader: ClusterReader,
  questions: readonly ReferenceQuestion[],
  evidence: EvidenceByCollection,
  reads: BoundedReads,
): Promise<Probe[]> {
  const collections = [...groupedBy(questions, ({ collection }) => collection)].map(([collection, asked]) => {
    const storage = evidence.get(collection)?.storage;
    return { collection, asked, storage: storage?.present === true ? storage.value : null };
  });
  const newest = await findInGroups(reader, collections.map(newestDocuments), (read) => reads.limited(read));
  const probes = collections.map(async (each) => {
    const { collection, asked } = each;
    const fields = await reads.attempt(collection, () => readValues(reader, each, newest.get(collection)));
    return asked.flatMap((question) => {
      const field = fields?.find(({ path }) => path === question.path);
      if (field === undefined || field.values.length === 0) return [];
      return question.targets.map((target): Probe => ({ question, target, field, found: null }));
    });
  });
  return (await Promise.all(probes)).flat();
}

/** Once per target for all fields together. */
async function lookUp(
  reader: ClusterReader,
  probes: readonly Probe[],
  partOf: (values: FieldValues['values']) => FieldValues['values'],
  families: ReadonlyMap<Collection, ReadonlySet<string> | null>,
  reads: BoundedReads,
): Promise<void> {
  const parts = new Map<FieldValues, { readonly number: number; readonly forms: readonly IdentifierForm[] }>();
  for (const { field } of probes)
    if (!parts.has(field)) parts.set(field, { number: parts.size, forms: partOf(field.values).flat() });
  const known = new Map<string, readonly unknown[]>();
  const wanted = [...groupedBy(probes, ({ target }) => target)].map(([target, ofTarget]) => {
    const family = families.get(target) ?? null;
    const key = `${family === null ? '*' : [...family].join(' ')}: ${ofTarget.map(({ field }) => parts.get(field)?.number).join(' ')}`;
    const values =
      known.get(key) ?? distinctValues(ofTarget.flatMap(({ field }) => formsOf(parts.get(field)?.forms ?? [], family)));
    known.set(key, values);
    return { target, values, paths: [] };
  });
  const found = await lookUpTargets(reader, wanted, reads);
  for (const probe of probes) {
    const documents = found.get(probe.target);
    if (documents === undefined || documents.size === 0) continue;
    for (const { key: form } of parts.get(probe.field)?.forms ?? [])
      if (documents.has(form)) (probe.found ??= new Set()).add(form);
  }
}

function referenceOf({ question: { collection, path, isInArray }, target, field, found }: Probe): Reference {
  const hits = field.values.flatMap((forms) => forms.find(({ key }) => found?.has(key) === true) ?? []);
  return {
    namespace: collection.namespace,
    path,
    isInArray,
    target: target.namespace,
    values: field.values.length,
    found: hits.length,
    conversion: mostFrequent(hits.map(({ conversion }) => conversion)),
    isRepeated: field.isRepeated,
    ...(field.isByChance && { isByChance: true }),
  };
}

function mostFrequent(conversions: readonly (IdConversion | null)[]): IdConversion | null {
  const [most] = [...groupedBy(conversions, (each) => each)].sort(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? null;
}
