import { formatCount, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import type { Collection } from '../inventory/collection.js';
import { findsByValue } from '../planner/value-search.js';
import { absent, type Absent } from '../presence.js';
import { queryPath } from '../profile/path-steps.js';
import { copyCandidates, type CopyCandidate } from './copy-candidates.js';
import { referenceQuestions, type ReferenceQuestion } from './reference-questions.js';
import type { IdConversion, ReadCollection, Reference } from './references.js';
import { isProven, orderedTargets } from './suggested-target.js';

/** A field that refers to another collection, and what to compare along with it. */
export interface ReferringField {
  readonly collection: Collection;
  readonly path: string;
  readonly isInArray: boolean;
  readonly valuesPerDocument: number;
  readonly conversion: IdConversion | null;
  /** The one that it refers to first, as far as is known. */
  readonly targets: readonly [Collection, ...Collection[]];
  /** Other collections that may hold the rest, by type. */
  readonly others: readonly Collection[];
  /** False if only those are among them that the name of the field suggests. */
  readonly isAskedOfAll: boolean;
  readonly copies: readonly CopyCandidate[];
  readonly backReferences: readonly BackCandidate[];
  readonly isIndexed: boolean;
}

export type BackCandidate = Pick<Reference, 'path' | 'isInArray'>;

/** Longer lists are not read: "a couple of hundred" is where arrays get long. */
const MOST_BACK_REFERENCES = 200;

export function referringFields(
  collections: readonly ReadCollection[],
  references: readonly Reference[],
): { fields: ReferringField[]; gaps: Absent[] } {
  const known = new Map(collections.map((each) => [each.collection.namespace, each]));
  const proven = references.filter(isProven);
  if (proven.length === 0) return { fields: [], gaps: [] };
  const questions = new Map(
    referenceQuestions(collections).questions.map((question) => [
      placeOf(question.collection.namespace, question.path),
      question,
    ]),
  );
  const byPlace = groupedBy(references, ({ namespace, path }) => placeOf(namespace, path));
  const left = { collated: 0, longBackReferences: 0 };
  const fields: ReferringField[] = [];
  for (const place of new Set(proven.map(({ namespace, path }) => placeOf(namespace, path)))) {
    const question = questions.get(place);
    const foundIn = orderedTargets((byPlace.get(place) ?? []).filter((each) => known.has(each.target)));
    const [target, ...further] = foundIn.references.flatMap((each) => known.get(each.target)?.collection ?? []);
    if (question === undefined || target === undefined) continue;
    if (target.collation !== undefined) left.collated += 1;
    else {
      const { isAmbiguous } = foundIn;
      const back = isAmbiguous
        ? { candidates: [], tooLong: 0 }
        : backCandidates(question.collection.namespace, target.namespace, proven, questions);
      left.longBackReferences += back.tooLong;
      fields.push({
        ...question,
        conversion: foundIn.references[0]?.conversion ?? null,
        targets: [target, ...further],
        others: question.targets.filter((other) => other !== target && !further.includes(other)),
        copies: isAmbiguous ? [] : copiesOf(question, known.get(target.namespace), known),
        backReferences: back.candidates,
        isIndexed: isIndexed(question, known),
      });
    }
  }
  return { fields, gaps: gapsOf(left) };
}

function placeOf(namespace: string, path: string): string {
  return JSON.stringify([namespace, path]);
}

/** Within one collection, a field may be both sides: friends are, followers are not. */
function backCandidates(
  namespace: string,
  target: string,
  proven: readonly Reference[],
  questions: ReadonlyMap<string, ReferenceQuestion>,
): { candidates: BackCandidate[]; tooLong: number } {
  const candidates = proven.filter((other) => other.namespace === target && other.target === namespace);
  const short = candidates.filter(
    ({ path }) => (questions.get(placeOf(target, path))?.valuesPerDocument ?? 0) <= MOST_BACK_REFERENCES,
  );
  return {
    candidates: short.map(({ path, isInArray }) => ({ path, isInArray })),
    tooLong: candidates.length - short.length,
  };
}

function copiesOf(
  { path, collection }: ReferenceQuestion,
  target: ReadCollection | undefined,
  known: ReadonlyMap<string, ReadCollection>,
): CopyCandidate[] {
  const fields = known.get(collection.namespace)?.evidence.fieldTypes;
  const targetFields = target?.evidence.fieldTypes;
  if (target?.collection === collection || fields?.present !== true || targetFields?.present !== true) return [];
  return copyCandidates(path, fields.value, targetFields.value);
}

function isIndexed({ collection, path }: ReferenceQuestion, known: ReadonlyMap<string, ReadCollection>): boolean {
  const { indexes, fieldTypes } = known.get(collection.namespace)?.evidence ?? {};
  const search = { paths: [queryPath(path)], collation: collection.collation ?? null };
  const types = fieldTypes?.present === true ? fieldTypes.value : null;
  return indexes?.present === true && indexes.value.some((index) => findsByValue(index, search, types));
}

function gapsOf({ collated, longBackReferences }: { collated: number; longBackReferences: number }): Absent[] {
  const gaps: Absent[] = [];
  if (collated > 0) {
    gaps.push(
      absent(
        'unsupported',
        `References were not followed from ${plural(collated, 'field')} to a collection with its own collation, by which different values may be equal.`,
      ),
    );
  }
  if (longBackReferences > 0) {
    const arrays = `${plural(longBackReferences, 'array')} of more than ${formatCount(MOST_BACK_REFERENCES)} references on average`;
    gaps.push(absent('bound', `Two-way references were not checked for ${arrays}.`));
  }
  return gaps;
}
