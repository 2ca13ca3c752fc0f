import type { RemedyStep } from '../../src/finding.js';
import { formatCount, inWords } from '../../src/format.js';
import { nameOf } from '../../src/namespace.js';
import { isObjectShape, type ObjectShape } from '../../src/workload/shapes/shape.js';
import { accompanyingIndex } from '../../src/judgement/indexes/accompanying-index.js';
import { holdsArrays } from '../../src/judgement/joins/joined-values.js';
import { pipelineText } from '../../src/judgement/pipelines/pipeline-text.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import { filterText, valueName } from '../../src/judgement/queries/filter-text.js';
import { BATCH, type BrokenOrder, type LongList } from '../../src/judgement/queries/long-lists.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { sortText } from '../../src/judgement/queries/range-page.js';
import type { ValueSource } from '../../src/judgement/queries/value-source.js';

/** What to do instead of asking for so many values. */
export function longListSteps(list: LongList): RemedyStep[] {
  const { from, order } = list;
  return [
    ...(from === null ? [] : sourceSteps(list, from)),
    ...(order === null ? [] : orderSteps(list, order)),
    ...(from === null && order === null ? plainSteps(list) : []),
    {
      text: 'Run mongolint again once the application has worked for a while: the lists are shorter.',
    },
  ];
}

function plainSteps({ path, query }: LongList): RemedyStep[] {
  const writes = query.operation.shape.kind === 'update' || query.operation.shape.kind === 'delete';
  return [
    {
      text: `Find out what the values of \`${path}\` have in common. If a field of the documents can say it, store that field, index it, and ask for its one value.`,
    },
    {
      text:
        `Else ask for ${BATCH} values at a time. All batches together examine as many keys, but each is short` +
        (writes ? ': other operations get their turn in between.' : ', and its reply is small.'),
    },
  ];
}

function orderSteps({ query, path }: LongList, { key, keysInBatches }: BrokenOrder): RemedyStep[] {
  const { namespace } = query.known.collection;
  const found = shellStatement(namespace, 'find', filterText(query.filters));
  return [
    ...accompanyingIndex(key, query.known, 'Each value needs its documents in the order of the sort.'),
    {
      text:
        `Ask for ${BATCH} values of \`${path}\` at a time, each time with the sort and the limit. Then keep the first of all batches. ` +
        `Up to ${BATCH} values are merged in the order of the index: about ${formatCount(Math.round(keysInBatches))} keys in all.`,
      code: `${found}.sort(${sortText(query.sort)}).limit(limit)`,
    },
  ];
}

function sourceSteps({ query, path }: LongList, from: ValueSource): RemedyStep[] {
  const { namespace } = query.known.collection;
  const copy = copyOfFilter(query, path, from);
  const joined = {
    $lookup: { from: namespace, localField: from.field ?? '?field', foreignField: path, as: nameOf(namespace) },
  };
  return [
    ...(copy === null ? [] : copySteps(query, path, from, copy)),
    {
      text: `${copy === null ? 'Let' : 'Or let'} the query on ${from.base} join them. It saves the list and a round trip, and examines as much.`,
      code: pipelineText(from.base, [
        ...from.stages,
        ...(from.query.operation.shape.limited === true ? [{ $limit: '?number' }] : []),
        joined,
      ]),
    },
  ];
}

/** The list's query by copies of the fields that select its values. */
interface FilterByCopy {
  /** Copied fields of the source, by their names beside the reference. */
  readonly fields: Readonly<Record<string, string>>;
  readonly filter: ObjectShape;
}

/** Null if the values are no references to documents that equality alone selects. */
function copyOfFilter(query: Query, path: string, { field, query: source }: ValueSource): FilterByCopy | null {
  const { conditions, filters } = query;
  const selecting = source.conditions.all;
  const [own, ...others] = filters;
  if (field === null || own === undefined || others.length > 0 || path.includes('.')) return null;
  const types = query.known.fieldTypes.present ? query.known.fieldTypes.value : null;
  if (holdsArrays(types, path) !== false || query.collation !== null || source.collation !== null) return null;
  if (conditions.alternatives.length > 0 || source.conditions.alternatives.length > 0 || source.limited) return null;
  const isEqual = selecting.every(
    (each) => each.role === 'equality' && !each.ofNull && each.element === null && isPlainName(each.path),
  );
  if (selecting.length === 0 || !isEqual || source.joins || !source.tellsMatches) return null;
  const list = own[path];
  if (!isObjectShape(list) || Object.keys(list).join() !== '$in') return null;
  const fields = Object.fromEntries(selecting.map((each) => [copyName(path, each.path), each.path]));
  if (Object.keys(fields).some((name) => name in own)) return null;
  const { [path]: _, ...rest } = own;
  const equal = Object.fromEntries(Object.keys(fields).map((name) => [name, { $eq: '?string' }]));
  return { fields, filter: { ...equal, ...rest } };
}

function isPlainName(path: string): boolean {
  return path !== '_id' && !path.includes('.') && !path.startsWith('$');
}

/** `customer` and `region` → `customerRegion`. */
function copyName(path: string, field: string): string {
  return `${path}${field.charAt(0).toUpperCase()}${field.slice(1)}`;
}

function copySteps(query: Query, path: string, from: ValueSource, { fields, filter }: FilterByCopy): RemedyStep[] {
  const { collection } = query.known;
  const { namespace, name } = collection;
  const copied = inWords(Object.values(fields).map((field) => `\`${field}\``));
  const fill = pipelineText(namespace, [
    { $lookup: { from: from.base, localField: path, foreignField: '_id', as: 'source' } },
    {
      $project: Object.fromEntries(
        Object.entries(fields).map(([copy, field]) => [copy, { $first: `$source.${field}` }]),
      ),
    },
  ]).replace(/\n\]\)$/, `,\n  { $merge: { into: ${JSON.stringify(name)}, whenNotMatched: "discard" } }\n])`);
  const sorted = query.sort.length === 0 ? '' : `.sort(${sortText(query.sort)})`;
  const order = query.sort.filter(([each]) => fields[each] === undefined);
  const key = Object.fromEntries([...Object.keys(fields).map((each) => [each, 1] as const), ...order]);
  return [
    {
      text: `Copy ${copied} of ${from.base} beside \`${path}\` (extended reference), if it seldom changes: each change must be made in the copies too. This fills them once, and scans ${namespace}.`,
      code: fill,
    },
    ...accompanyingIndex(key, query.known, 'Index the copy.'),
    {
      text: `Ask by the copy: one search in the index takes the place of the list. \`${valueName(Object.keys(fields)[0] ?? '')}\` is what you ask ${from.base} for today.`,
      code: `${shellStatement(namespace, 'find', filterText([filter]))}${sorted}`,
    },
  ];
}
