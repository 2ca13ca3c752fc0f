import type { RemedyStep } from '../../finding.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { isObjectShape } from '../../workload/shapes/shape.js';
import { DATA_NAME } from '../../workload/shapes/sort-shape.js';
import { foundWith } from '../advice/index-value.js';
import type { QueryPlace } from '../advice/query-suggestions.js';
import { shellStatement, spacedJson } from '../shell-statement.js';
import { equalPaths, everyCondition, GEO_OPERATORS } from './conditions.js';
import { sizeFor } from './query-size.js';
import { MOST_OF_ALL } from './query-thresholds.js';
import type { Query } from './query.js';

/** Searches that need a text index or a geo index, or are served by one. */
interface SpecialSearch {
  readonly kind: 'text' | 'geo';
  /** The field of a geo search; null if the stage does not name it. */
  readonly path: string | null;
  /** The index that can serve it; null if there is none. */
  readonly index: IndexDescription | null;
  /** Fields that the query sets equal, and that the index lacks where they would narrow its search. */
  readonly lacked: readonly string[];
}

/** True if it is not known how many documents have a value. */
function narrows(query: Query, field: string): boolean {
  const [size, found] = [sizeFor(query), foundWith(query, { [field]: 1 })];
  return size === null || found === null || found.documents <= MOST_OF_ALL * size.documents;
}

function specialSearch(query: Query, existing: readonly IndexDescription[]): SpecialSearch {
  const { conditions } = query;
  const every = everyCondition(conditions);
  const kind = every.some(({ operator }) => operator === '$text') ? 'text' : 'geo';
  const path = every.find((each) => each.path !== '' && GEO_OPERATORS.has(each.operator))?.path ?? null;
  const index = existing.find(({ hidden, key }) => !hidden && isFor(kind, path, key)) ?? null;
  const fields = Object.keys(index?.key ?? {});
  // Only fields in front of the words narrow a text search: each has to be set equal.
  const narrowing =
    kind === 'text'
      ? fields.slice(
          0,
          fields.findIndex((field) => index?.key[field] === 'text'),
        )
      : fields;
  const isLacked = (field: string) =>
    !narrowing.includes(field) && !field.split('.').includes(DATA_NAME) && narrows(query, field);
  return { kind, path, index, lacked: [...new Set(equalPaths(conditions))].filter(isLacked) };
}

function isFor(kind: SpecialSearch['kind'], path: string | null, key: IndexDescription['key']): boolean {
  if (kind === 'text') return Object.values(key).includes('text');
  return path === null ? Object.values(key).some(isGeo) : isGeo(key[path]);
}

function isGeo(value: unknown): boolean {
  return value === '2dsphere' || value === '2d';
}

/** Where a search by a text or geo index is reported, and the index that would narrow it. */
export function placeOfSpecial(query: Query, existing: readonly IndexDescription[]): QueryPlace | 'served' {
  const search = specialSearch(query, existing);
  const { kind, path, index, lacked } = search;
  if (query.operation.shape.truncated === true) return { path: null, remedy: null };
  // Without its index a text search fails, and so does a stage that does not name its field.
  if (index === null) return path === null ? 'served' : { path, remedy: { steps: firstGeoSteps(path, lacked, query) } };
  if (lacked.length === 0) return { path, remedy: null };
  const steps = kind === 'text' ? textSteps(index, lacked, query) : geoSteps(index, lacked, query);
  return { path: path ?? lacked[0] ?? null, remedy: { steps } };
}

function firstGeoSteps(path: string, lacked: readonly string[], { known }: Query): RemedyStep[] {
  const key = { ...ascending(lacked), [path]: '2dsphere' };
  return [
    {
      text: 'Create a geo index. The build scans the collection, and fails at a value that is no valid GeoJSON. For $box, $center and $polygon on plain coordinates, create a "2d" index instead.',
      code: shellStatement(known.collection.namespace, 'createIndex', spacedJson(key)),
    },
    CHECK,
  ];
}

function textSteps(index: IndexDescription, lacked: readonly string[], { known }: Query): RemedyStep[] {
  const { namespace } = known.collection;
  const words = Object.fromEntries(Object.keys(index.weights ?? {}).map((path) => [path, 'text']));
  const options = { ...(index.weights !== undefined && { weights: index.weights }), ...index.furtherOptions };
  return [
    {
      text: `A text search reads every document with these words, and tests ${named(lacked)} on it. Fields in front of the words narrow the search, but then each search must set them equal: check that all do.`,
    },
    {
      text: 'A collection has one text index: drop it. Searches fail until the next step is done.',
      code: shellStatement(namespace, 'dropIndex', JSON.stringify(index.name)),
      givesUp: [index.name],
    },
    {
      text: 'Create it with these fields in front. The build scans the collection.',
      code: shellStatement(
        namespace,
        'createIndex',
        spacedJson({ ...ascending(lacked), ...words }),
        spacedJson(options),
      ),
    },
    CHECK,
  ];
}

function geoSteps(index: IndexDescription, lacked: readonly string[], query: Query): RemedyStep[] {
  const { namespace } = query.known.collection;
  const isFlat = Object.values(index.key).includes('2d');
  // In a 2d index the place comes first.
  const key = isFlat ? { ...index.key, ...ascending(lacked) } : { ...ascending(lacked), ...index.key };
  return [
    ...stageSteps(lacked, query),
    {
      text: `Create a geo index that has ${named(lacked)} too: the search then passes over documents with other values. The build scans the collection.`,
      code: shellStatement(namespace, 'createIndex', spacedJson(key)),
    },
    { text: `Drop ${index.name}, unless another query needs it.` },
    CHECK,
  ];
}

/** What a `$geoNear` needs before there are two geo indexes, and before its index can test a condition. */
function stageSteps(lacked: readonly string[], { operation: { shape } }: Query): RemedyStep[] {
  const stage = shape.pipeline?.[0]?.['$geoNear'];
  if (!isObjectShape(stage)) return [];
  const asked = isObjectShape(stage['query']) ? Object.keys(stage['query']) : [];
  const behind = lacked.filter((path) => !asked.includes(path));
  return [
    ...(behind.length === 0
      ? []
      : [
          {
            text: `Move the condition on ${named(behind)} into \`query\` of \`$geoNear\`: a \`$match\` behind it is tested on documents.`,
          },
        ]),
    ...(stage['key'] === undefined
      ? [{ text: 'Name the field as `key` of `$geoNear` first: with two geo indexes the server refuses to choose.' }]
      : []),
  ];
}

const CHECK: RemedyStep = { text: 'Check that totalDocsExamined is lower, in explain("executionStats").' };

function ascending(paths: readonly string[]): IndexDescription['key'] {
  return Object.fromEntries(paths.map((path) => [path, 1]));
}

function named(paths: readonly string[]): string {
  return paths.map((path) => `\`${path}\``).join(', ');
}
