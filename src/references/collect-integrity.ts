import type { Document } from 'mongodb';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { groupedBy } from '../grouped-by.js';
import type { Collection } from '../inventory/collection.js';
import { heldReferences, isFound, type FoundDocuments } from './compared-documents.js';
import type { ComparedReference, ReferenceIntegrity } from './reference-integrity.js';
import { BoundedReads } from './reference-look-ups.js';
import { ReferenceLookUps, together } from './reference-look-ups.js';
import { idFamilies } from './reference-questions.js';
import { ReferenceTally, type ComparedPart } from './reference-tally.js';
import type { ReadCollection, References } from './references.js';
import { referringFields, type ReferringField } from './referring-fields.js';
import { readAgain, readReferring, readSiblings, type ReferringSample } from './referring-sample.js';

/** Collections whose samples are held at once. */
const COLLECTIONS_AT_ONCE = 20;
/** Candidates that differ, or do not refer back, more often than this are dropped. The checks are stricter. */
const MOST_DIFFERING = 0.5;
/** First, these are looked for in every other collection; the rest only in those that hold one of them. */
const SOUGHT_ELSEWHERE = 10;
/** Referred-to documents whose copies are ordered by time. */
const MOST_SOURCES = 20;

export interface IntegrityOptions {
  readonly concurrency: number;
  /** Keep `_id`s of the documents that findings are about. */
  readonly showValues: boolean;
}

/**
 * Follows the references of a sample of documents: missing targets, differing copies, targets that do not refer back.
 * What looks wrong is read again from the primary, since a secondary may lag and documents change between two reads.
 *
 * Reads at most, per collection: a sample, the suspicious documents by `_id`, and copies of the same for each field.
 * Per referred-to collection and 20 referring ones: two look-ups by `_id`. Values stay in here.
 *
 * @param references the target with the most values comes first
 */
export async function collectReferenceIntegrity(
  reader: ClusterReader,
  collections: readonly ReadCollection[],
  { references, gaps: notSought }: References,
  { concurrency, showValues }: IntegrityOptions,
): Promise<ReferenceIntegrity> {
  const { fields, gaps } = referringFields(collections, references);
  const reads = new BoundedReads(concurrency, 'following references in');
  const known = new Map(collections.map((each) => [each.collection, each]));
  const lookUps = new ReferenceLookUps(
    new Map(collections.map(({ collection, evidence }) => [collection, idFamilies(evidence)])),
    reads,
  );
  const referring = [...groupedBy(fields, ({ collection }) => collection)];
  const compared: ComparedReference[] = [];
  for (let from = 0; from < referring.length; from += COLLECTIONS_AT_ONCE) {
    const samples = await Promise.all(
      referring.slice(from, from + COLLECTIONS_AT_ONCE).map(([collection, of]) => {
        const what = known.get(collection);
        return what === undefined ? null : reads.attempt(collection, () => readReferring(reader, what, of));
      }),
    );
    compared.push(
      ...(await comparedSamples(
        reader,
        samples.filter((sample) => sample !== null),
        lookUps,
        showValues,
      )),
    );
  }
  return { references: compared, gaps: [...notSought, ...gaps, ...reads.gaps()] };
}

async function comparedSamples(
  reader: ClusterReader,
  samples: readonly ReferringSample[],
  lookUps: ReferenceLookUps,
  showValues: boolean,
): Promise<ComparedReference[]> {
  const { reads } = lookUps;
  const found = await lookUps.run(reader, samples, ({ targets }) => targets);
  const primary = reader.withReadPreference('primaryPreferred');
  const looks = samples.map((sample) => sample.fields.flatMap((field) => firstLook(field, sample.documents, found)));
  const likely = samples.map((sample, index): ReferringSample => ({
    ...sample,
    fields: (looks[index] ?? []).map(({ field }) => field),
  }));
  const suspicious = looks.map((ofSample) => [...new Set(ofSample.flatMap((look) => look.suspicious))]);
  const again = await Promise.all(
    likely.map((sample, index) => {
      const documents = suspicious[index] ?? [];
      return documents.length === 0
        ? { ...sample, documents }
        : reads.attempt(sample.collection, () => readAgain(primary, sample, documents));
    }),
  );
  const second = await lookAgain(
    primary,
    again.filter((sample) => sample !== null),
    lookUps,
  );
  const comparisons = likely.flatMap((sample, index) => {
    const documents = again[index]?.documents;
    if (documents === undefined) return [];
    const left = new Set(suspicious[index]);
    const parts = [
      { documents: sample.documents.filter((document) => !left.has(document)), found },
      { documents, found: second.anywhere },
    ] as const;
    return sample.fields
      .filter((field) => isLookedUpAgain(field, parts[1], second))
      .map((field) => ({ field, sample, parts }));
  });
  return Promise.all(
    comparisons.map(async ({ field, sample, parts }) => {
      const tally = new ReferenceTally(field, parts, showValues);
      return comparedReference(field, sample, tally, await siblingsOf(primary, field, tally, parts, reads));
    }),
  );
}

/** What a second look found: where the references point to, in other collections, and in any. */
interface SecondLook {
  readonly inTargets: FoundDocuments;
  readonly elsewhere: FoundDocuments;
  readonly anywhere: FoundDocuments;
}

/** What still leads nowhere is looked for in every other collection. */
async function lookAgain(
  primary: ClusterReader,
  samples: readonly ReferringSample[],
  lookUps: ReferenceLookUps,
): Promise<SecondLook> {
  const inTargets = await lookUps.run(primary, samples, ({ targets }) => targets);
  const dangling = withDanglingAlone(samples, inTargets);
  const some = await lookUps.run(primary, dangling, ({ others }) => others, SOUGHT_ELSEWHERE);
  const holdsSome = ({ namespace }: Collection) => (some.get(namespace)?.size ?? 0) > 0;
  const rest = await lookUps.run(primary, dangling, ({ others }) => others.filter(holdsSome));
  const elsewhere = together(some, rest);
  return { inTargets, elsewhere, anywhere: together(elsewhere, inTargets) };
}

interface FirstLook {
  readonly field: ReferringField;
  readonly suspicious: readonly Document[];
}

/** Without candidates that mostly differ; nothing if most references dangle, or could not be looked up. */
function firstLook(field: ReferringField, documents: readonly Document[], found: FoundDocuments): FirstLook[] {
  const tally = new ReferenceTally(field, [{ documents, found }], false);
  const isLookedUp = field.targets.every(({ namespace }) => found.has(namespace));
  if (!isLookedUp || tally.dangling().references > tally.references * MOST_DIFFERING) return [];
  const copies = field.copies.filter((copy) => {
    const { compared, differing } = tally.copied(copy, []);
    return compared > 0 && differing <= compared * MOST_DIFFERING;
  });
  const backReferences = field.backReferences.filter((candidate) => {
    const { followed, compared, oneSided } = tally.back(candidate);
    return followed > 0 && followed - (compared - oneSided) <= followed * MOST_DIFFERING;
  });
  return [{ field: { ...field, copies, backReferences }, suspicious: tally.suspicious({ copies, backReferences }) }];
}

/** False if a second read failed: what was missing may exist. */
function isLookedUpAgain(field: ReferringField, part: ComparedPart, { inTargets, elsewhere }: SecondLook): boolean {
  const hasReferences = part.documents.some((document) => heldReferences(document, field.path).length > 0);
  if (!hasReferences) return true;
  const isDangling = new ReferenceTally(field, [part], false).dangling().references > 0;
  return (
    field.targets.every(({ namespace }) => inTargets.has(namespace)) &&
    (!isDangling || field.others.every(({ namespace }) => elsewhere.has(namespace)))
  );
}

/** Only documents with a reference that still leads nowhere. */
function withDanglingAlone(samples: readonly ReferringSample[], found: FoundDocuments): ReferringSample[] {
  return samples.flatMap((sample) =>
    sample.fields.map((field) => ({
      ...sample,
      fields: [field],
      documents: sample.documents.filter((document) =>
        heldReferences(document, field.path).some((each) => !isFound(each, field, found)),
      ),
    })),
  );
}

/** Other copies of the same documents, if an index finds them. */
async function siblingsOf(
  reader: ClusterReader,
  field: ReferringField,
  tally: ReferenceTally,
  parts: readonly ComparedPart[],
  reads: BoundedReads,
): Promise<ComparedPart[]> {
  const values = tally.differingValues().slice(0, MOST_SOURCES);
  if (values.length === 0 || !field.isIndexed) return [];
  const documents = (await reads.attempt(field.collection, () => readSiblings(reader, field, values))) ?? [];
  return parts.slice(-1).map(({ found }) => ({ documents, found }));
}

function comparedReference(
  field: ReferringField,
  { documents, complete, byChance }: ReferringSample,
  tally: ReferenceTally,
  siblings: readonly ComparedPart[],
): ComparedReference {
  const {
    collection,
    path,
    isInArray,
    isAskedOfAll,
    conversion,
    targets: [target],
  } = field;
  return {
    namespace: collection.namespace,
    path,
    isInArray,
    target: target.namespace,
    furtherTargets: tally.furtherTargets(),
    isSoughtEverywhere: isAskedOfAll,
    conversion,
    sampled: documents.length,
    complete,
    ...(byChance && { byChance }),
    documents: tally.documents,
    references: tally.references,
    values: tally.values,
    dangling: tally.dangling(),
    copies: field.copies.map((copy) => tally.copied(copy, siblings)),
    backReferences: field.backReferences.map((candidate) => tally.back(candidate)),
  };
}
