import {
  defineCheck,
  type Collection,
  type IndexDescription,
  type PathProfile,
  type RemedyStep,
  type Verdict,
} from '../src/check.js';
import { formatCount, plural } from '../src/format.js';
import { comparable } from '../src/inventory/filter-values.js';
import { formatIndexKey } from '../src/inventory/index-key.js';
import { convertingUpdate } from '../src/judgement/documents/converting-update.js';
import { NEVER_SECONDS } from '../src/judgement/indexes/index-steps.js';
import { judgedAt, judgedAtText, judgedSize, sizesUnknown } from '../src/judgement/judged-size.js';
import { bySample, seenPart, type SeenPart, shareWithin } from '../src/judgement/margins.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import { shellCommand, shellStatement } from '../src/judgement/shell-statement.js';
import { predicateOf } from '../src/planner/filter-predicate.js';
import { partsOf } from '../src/planner/predicate.js';
import { isWithin, queryPath } from '../src/profile/path-steps.js';
import { LINE_RISK } from '../src/profile/sampling/confidence.js';
import { familyCounts, familyName, type TypeFamily } from '../src/profile/type-families.js';

export const ttlWithoutEffect = defineCheck({
  id: 'ttl-without-effect',
  title: 'TTL index that deletes nothing',
  summary: 'a TTL index that nothing expires by: its field is never a date, or its partial filter never applies',
  appliesTo: ['collection'],
  needs: ['documents', 'indexes', 'storage'],
  thresholds: {
    documents: {
      default: 10_000,
      unit: 'documents',
      description: 'documents that should have expired, for a warning',
      source: 'judgement: what is meant to go and stays grows without end; with so many, the size of the data shows it',
    },
    sampled: {
      default: 100,
      unit: 'documents',
      description: 'documents sampled with a value in the field, to be sure that it is never a date',
      source: 'judgement: 5 % of such samples miss the dates of three in a hundred documents',
    },
  },
  judge({ collection, documents, indexes, storage }, limits) {
    const { profile } = documents;
    const seen = seenPart(documents, storage);
    return indexes.flatMap((index): readonly Verdict[] => {
      if (index.expireAfterSeconds === undefined) return [];
      const text = noDates(index, profile.paths);
      const field = text ?? neverMet(index, profile.paths);
      if (field === null) return [];
      if (storage.count === null) return [sizesUnknown(collection.namespace)];
      const size = judgedSize(collection, storage.count);
      const isSure = field.documents >= limits.sampled;
      const staying = (part: SeenPart) =>
        shareWithin(field.documents, profile.documents, part, LINE_RISK)[0] * size.documents;
      const kinds = field.families.map((family) => familyName(family, 2)).join(' and ');
      return [
        {
          ...bySample(seen, (part) => ({
            severity: isSure && staying(part) >= limits.documents ? 'warning' : 'info',
          })),
          confidence: isSure ? 'high' : seen.share >= 1 ? 'medium' : 'low',
          path: index.name,
          message:
            `TTL index \`${index.name}\` on ${formatIndexKey(index.key)} deletes nothing: ${field.needs}, but ` +
            `${plural(field.documents, 'document')} of ${formatCount(profile.documents)} read have ${kinds} there, and none a ${field.lacks}.${judgedAtText(size)}`,
          ...judgedAt(size),
          restsOn: ['sample'],
          evidence: {
            source: 'listIndexes and sample',
            window: sampleWindow(documents, storage),
            key: { ...index.key },
            types: field.types,
            expireAfterSeconds: index.expireAfterSeconds,
          },
          remedy: { steps: text === null ? filterSteps(collection, index, field) : steps(collection, index, text) },
        },
      ];
    });
  },
});

/** A field whose values keep a TTL index from deleting anything. */
interface ObstructingField {
  /** What the index needs, as half a sentence, and how one such value is called. */
  readonly needs: string;
  readonly lacks: string;
  /** As the profile has them: of the values, and of the elements of arrays. */
  readonly paths: readonly PathProfile[];
  /** Sampled documents with a value there. */
  readonly documents: number;
  /** Values by BSON type, without null and arrays. */
  readonly types: Readonly<Record<string, number>>;
  readonly families: readonly TypeFamily[];
}

/** A TTL index whose field has values in the sample, and no date among them; null for every other index. */
function noDates({ key, expireAfterSeconds }: IndexDescription, all: readonly PathProfile[]): ObstructingField | null {
  const [name, ...others] = Object.keys(key);
  if (expireAfterSeconds === undefined || name === undefined || others.length > 0) return null;
  if (all.some(({ path, types }) => (types.date ?? 0) > 0 && mayBe(queryPath(path), name))) return null;
  return valuesOf(name, all, 'a TTL index expires dates only', 'date');
}

const COMPARING = new Set(['$eq', '$gt', '$gte', '$lt', '$lte']);

/** A TTL index whose partial filter compares a field with a value of a type that the field never has; else null. */
function neverMet({ partialFilterExpression }: IndexDescription, all: readonly PathProfile[]): ObstructingField | null {
  for (const { comparison, negated } of partsOf(predicateOf(partialFilterExpression ?? {})).conditions) {
    const { path, operator, operand } = comparison;
    const [value] = operand.values ?? [];
    const family = typeof value === 'boolean' ? 'bool' : comparable(value)?.type;
    if (family === undefined || negated || !COMPARING.has(operator)) continue;
    const found = all.filter((each) => mayBe(queryPath(each.path), path));
    if (found.some(({ types }) => familyCounts(types).some(([one]) => one === family))) continue;
    const lacks = familyName(family, 1);
    const field = valuesOf(path, all, `its filter asks for a ${lacks} in \`${path}\``, lacks);
    if (field !== null) return field;
  }
  return null;
}

/** Null if no sampled document has a value there. */
function valuesOf(name: string, all: readonly PathProfile[], needs: string, lacks: string): ObstructingField | null {
  const paths = all.filter(({ path }) => queryPath(path) === name);
  const types: Record<string, number> = {};
  let documents = 0;
  for (const path of paths) {
    const values = Object.entries(path.types).filter(([type]) => isValue(type));
    for (const [type, count] of values) types[type] = (types[type] ?? 0) + count;
    documents += Math.min(
      path.documents,
      values.reduce((sum, [, count]) => sum + count, 0),
    );
  }
  return documents === 0
    ? null
    : { needs, lacks, paths, documents, types, families: familyCounts(types).map(([family]) => family) };
}

function mayBe(path: string, name: string): boolean {
  return isWithin(path, name) && path.split('.').length === name.split('.').length;
}

/** The elements of an array count on their own. */
function isValue(type: string): boolean {
  return type !== 'array' && familyCounts({ [type]: 1 }).length > 0;
}

function steps(
  { namespace, database, name }: Collection,
  index: IndexDescription,
  { paths, families }: ObstructingField,
): RemedyStep[] {
  const expiry = (seconds: number) =>
    shellCommand(database, { collMod: name, index: { name: index.name, expireAfterSeconds: seconds } });
  const others = families.filter((family) => family !== 'string');
  return [
    dropStep(namespace, index),
    { text: 'Correct the code that writes the field, so that it writes dates.' },
    {
      text: 'First raise the TTL to 50 years: otherwise all expired documents are deleted at once, and secondaries may lag.',
      code: expiry(NEVER_SECONDS),
    },
    ...paths.flatMap(({ path, types }) => {
      const update = (types.string ?? 0) > 0 ? convertingUpdate(namespace, path, 'string', 'date') : null;
      if (update === null) return [];
      return [
        {
          text: 'Convert the stored text. The update scans the collection, and cannot be undone: back up first. It keeps what it cannot read as a date. In a large collection, add a range of `_id` to the filter, and go on range by range.',
          code: update,
        },
      ];
    }),
    ...onlyIf(others.length > 0, {
      text: `Rewrite the ${others.map((family) => familyName(family, 2)).join(' and ')} as dates, as the application means them. Of numbers, \`$toDate\` takes milliseconds as long or double, so multiply seconds by 1,000.`,
    }),
    ...loweringSteps({ database, name }, index),
  ];
}

function dropStep(namespace: string, { name }: IndexDescription): RemedyStep {
  return {
    text: 'If the documents should stay, drop the index and stop here. An ordinary one serves queries as well.',
    code: shellStatement(namespace, 'dropIndex', JSON.stringify(name)),
    givesUp: [name],
  };
}

/** The server changes no filter of an index. */
function filterSteps(collection: Collection, index: IndexDescription, { lacks }: ObstructingField): RemedyStep[] {
  return [
    dropStep(collection.namespace, index),
    {
      text: `Else correct the filter, or the code that writes the field. A filter can't be changed: drop the index, and create it again without a ${lacks} in the filter. Begin with an expireAfterSeconds of ${NEVER_SECONDS}, which is 50 years: otherwise all expired documents are deleted at once, and secondaries may lag.`,
    },
    ...loweringSteps(collection, index),
  ];
}

function loweringSteps(
  { database, name }: Pick<Collection, 'database' | 'name'>,
  { name: index, expireAfterSeconds = 0 }: IndexDescription,
): RemedyStep[] {
  return [
    {
      text: `Lower the TTL in steps, down to ${plural(expireAfterSeconds, 'second')} in the end: each step deletes a portion, the oldest first. This cannot be undone: make sure that nobody needs them.`,
      code: shellCommand(database, { collMod: name, index: { name: index, expireAfterSeconds } }),
    },
    { text: 'Check after some minutes that the oldest are gone.' },
  ];
}
