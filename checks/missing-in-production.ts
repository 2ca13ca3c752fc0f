import { type Collection, defineCheck, type IndexDescription, type RemedyStep, type Verdict } from '../src/check.js';
import { sameIndex } from '../src/evidence-file/production/joined-collection.js';
import { formatCount, plural } from '../src/format.js';
import { formatIndexKey, isIdIndex } from '../src/inventory/index-key.js';
import { documentsHere, judgedAt, judgedAtText, judgedSize } from '../src/judgement/judged-size.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { spacedJson } from '../src/judgement/shell-statement.js';
import { shellCollection } from '../src/namespace.js';

export const missingInProduction = defineCheck({
  id: 'missing-in-production',
  title: 'Not in production yet',
  summary: 'collections and indexes of this database that production does not have',
  appliesTo: ['collection', 'timeseries'],
  appliesWhere: 'production',
  needs: ['indexes'],
  uses: ['storage'],
  thresholds: {},
  judge({ collection, indexes, storage }) {
    const { production } = collection;
    if (production === undefined) return [];
    if (!production.present) return [{ notJudged: production.reason, detail: production.detail, nothingJudged: true }];
    const count = storage?.count ?? null;
    if (production.value === null) return [newCollection(collection, count)];
    const there = production.value.indexes;
    if (!there.present) return [{ notJudged: there.reason, detail: there.detail, nothingJudged: true }];
    return newIndexes(indexes, there.value)
      .filter((index) => !isIdIndex(index))
      .map((index) => newIndex(collection, index, count));
  },
});

function newCollection({ name }: Collection, count: number | null): Verdict {
  const documents = count === null ? '' : ` It is judged by its ${plural(count, 'document')} here.`;
  return {
    severity: 'info',
    confidence: 'high',
    path: null,
    message: `Production does not have ${name}.${documents}`,
    evidence: {
      source: 'listCollections',
      window: 'here and in production',
      figuresFrom: 'here',
      ...(count !== null && { documentsHere: count }),
    },
    remedy: {
      steps: [
        { text: 'If it is new, give the size that you expect with `expect`, and let the release create its indexes.' },
        {
          text: 'If it was renamed, production has no index under its new name: judge it under its old one until then.',
        },
      ],
    },
  };
}

function newIndex(collection: Collection, index: IndexDescription, count: number | null): Verdict {
  const size = count === null ? null : judgedSize(collection, count);
  const documents = size === null ? 'every document' : `all ${formatCount(size.documents)} documents`;
  return {
    severity: 'info',
    confidence: 'high',
    path: index.name,
    message: `Production does not have the index \`${index.name}\` on ${formatIndexKey(index.key)}: building it there reads ${documents}.${size === null ? '' : judgedAtText(size)}`,
    evidence: {
      source: 'listIndexes',
      window: 'here and in production',
      figuresFrom: 'here',
      key: { ...index.key },
      ...(size !== null && { collectionDocuments: size.recorded, ...documentsHere(size) }),
    },
    ...(size !== null && judgedAt(size)),
    remedy: { steps: [buildStep(collection, index), ...cautions(index)] },
  };
}

function buildStep({ production, namespace }: Collection, index: IndexDescription): RemedyStep {
  const there = production?.present === true ? (production.value?.namespace ?? namespace) : namespace;
  return {
    text: 'Build it in production before the release that needs it. The build goes on beside reads and writes, and loads every member.',
    ...shellIndex(there, index),
  };
}

function cautions({ unique, expireAfterSeconds }: IndexDescription): RemedyStep[] {
  return [
    ...onlyIf(unique, {
      text: 'It is unique: the build fails if two documents of production hold the same value. Look for them first.',
    }),
    ...onlyIf(expireAfterSeconds !== undefined, {
      text: 'It is a TTL index: once built, the server deletes the documents that have expired. That cannot be undone.',
    }),
  ];
}

/** The indexes here that production does not have, under whichever name. */
function newIndexes(
  here: readonly IndexDescription[],
  there: readonly IndexDescription[],
): readonly IndexDescription[] {
  return here.filter((index) => !there.some((each) => sameIndex(each, index)));
}

/** How mongosh builds an index; nothing for a partial one, whose filter may hold values. */
function shellIndex(namespace: string, index: IndexDescription): Pick<RemedyStep, 'code'> {
  const { key, name, unique, sparse, collation, expireAfterSeconds, partialFilterExpression: filter } = index;
  if (filter !== undefined) return {};
  const options = {
    name,
    ...(unique && { unique }),
    ...(sparse && { sparse }),
    ...(collation !== undefined && { collation }),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
  };
  return { code: `${shellCollection(namespace)}.createIndex(${spacedJson(key)}, ${spacedJson(options)})` };
}
