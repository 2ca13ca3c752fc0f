import type { CollationOptions, Document } from 'mongodb';
import type { SeededRandom } from '../../../src/demo/seeded-random.js';
import type { EqualityJoin, JoinForm } from '../../../src/judgement/joins/equality-join.js';
import { CASE_INSENSITIVE, type ForeignCollection, type ForeignField } from './foreign-collections.js';
import { LOCAL_COLLECTIONS, type LocalCollection } from './local-collections.js';

/** A join as it is written. */
export type StatedJoin = Omit<EqualityJoin, 'foreign' | 'arrays' | 'filter'> & { readonly filter?: Document };

/** A join as it is sent, and as it is written. */
export interface RandomJoin {
  readonly local: LocalCollection;
  /** The aggregation's own collation. */
  readonly collation?: CollationOptions;
  /** The joining stages, for a foreign collection of the given name. */
  readonly stages: (from: string) => Document[];
  readonly stated: StatedJoin;
}

const FORMS: readonly JoinForm[] = ['localField', 'localField', 'localField', 'exprEquality', 'graphLookup'];

const COLLATIONS: readonly (CollationOptions | undefined)[] = [
  undefined,
  undefined,
  undefined,
  CASE_INSENSITIVE,
  { ...CASE_INSENSITIVE, caseLevel: false },
  { locale: 'simple' },
  { locale: 'fr_CA' },
];

/** A join that looks up the field. */
export function randomJoin(random: SeededRandom, foreign: ForeignCollection, field: ForeignField): RandomJoin {
  const form = random.choose(FORMS);
  const local = randomLocal(random, form, foreign, field);
  const collation = foreign.options.timeseries === undefined ? random.choose(COLLATIONS) : undefined;
  const filter = randomFilter(random, foreign, field);
  const withPipeline = form === 'localField' && (filter !== undefined || random.chance(0.3));
  const isClassic = form === 'localField' && !withPipeline && random.chance(0.3);
  const stated: StatedJoin = {
    form,
    foreignField: field.path,
    collation: collation ?? local.options.collation ?? null,
    ...(filter !== undefined && { filter }),
    // A filter tells of a pipeline by itself.
    ...(withPipeline && (filter === undefined || random.chance(0.5)) && { withPipeline }),
    ...(isClassic && { inClassicEngine: true }),
    ...(local.localTypes !== undefined && { localTypes: local.localTypes }),
    ...(local.localElementTypes !== undefined && { localElementTypes: local.localElementTypes }),
  };
  return joinOf(local, stated, collation);
}

/** The join as it is sent. */
export function joinOf(local: LocalCollection, stated: StatedJoin, collation?: CollationOptions): RandomJoin {
  // The server's own tests use this stage to keep a pipeline out of the slot-based engine.
  const prefix = stated.inClassicEngine === true ? [{ $_internalInhibitOptimization: {} }] : [];
  return {
    local,
    ...(collation !== undefined && { collation }),
    stages: (from) => [...prefix, joiningStage(stated, from)],
    stated,
  };
}

/** A collection to join, for the most part one that finds something. */
function randomLocal(
  random: SeededRandom,
  form: JoinForm,
  foreign: ForeignCollection,
  { kind }: ForeignField,
): LocalCollection {
  const mustFit = random.chance(0.75);
  return random.choose(
    LOCAL_COLLECTIONS.filter(({ fits, keys, options, localTypes }) => {
      if (mustFit && !fits.includes(kind)) return false;
      // A time-series collection is a view, and the server joins views under their own collation only.
      if (foreign.options.timeseries !== undefined && options.collation !== undefined) return false;
      // With $expr a missing value leads to a scan whatever the index, which is no matter of usability.
      if (form === 'exprEquality') return !keys.includes(undefined);
      // What is unknown is reckoned with, so it must occur.
      return localTypes !== undefined || keys.includes(undefined);
    }),
  );
}

function joiningStage({ form, foreignField, filter, withPipeline }: StatedJoin, from: string): Document {
  if (form === 'graphLookup') {
    return {
      $graphLookup: {
        from,
        startWith: '$key',
        connectFromField: 'nothing',
        connectToField: foreignField,
        as: from,
        ...(filter !== undefined && { restrictSearchWithMatch: filter }),
      },
    };
  }
  const match = filter === undefined ? [] : [{ $match: filter }];
  if (form === 'localField') {
    const pipeline = withPipeline === true || filter !== undefined ? { pipeline: match } : {};
    return { $lookup: { from, localField: 'key', foreignField, as: from, ...pipeline } };
  }
  const equality = { $expr: { $eq: [`$${foreignField}`, '$$key'] } };
  return { $lookup: { from, let: { key: '$key' }, pipeline: [{ $match: { ...filter, ...equality } }], as: from } };
}

function randomFilter(
  random: SeededRandom,
  { halves, serial }: ForeignCollection,
  { path }: ForeignField,
): Document | undefined {
  // On `_id` a filter would let the planner weigh the `_id` index against the tested one, which is no matter of usability.
  if (path === '_id' || halves === undefined || serial === undefined || random.chance(0.4)) return undefined;
  // None is selective: an index on these fields alone must not make a join cheap.
  return random.choose<Document>([
    { [halves]: 'A' },
    { [halves]: 'A' },
    { [halves]: 'B' },
    { [halves]: { $in: ['A'] } },
    { [halves]: { $in: ['B', 'A'] } },
    { [serial]: { $exists: true } },
    { [halves]: 'A', [serial]: { $gt: 20 } },
    { $and: [{ [halves]: 'A' }, { [serial]: { $gte: 10 } }] },
    { [serial]: { $gt: 5 } },
    { [serial]: { $gte: 10, $lt: 900 } },
    { [path]: { $exists: true } },
  ]);
}
