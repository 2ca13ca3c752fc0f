import type { AggregateOptions, Document } from 'mongodb';

/** Where pipelines put their results that do not keep them. */
export const OTHER_DATABASE = 'elsewhere';
const COLLATION = { locale: 'en', strength: 2 };

/** What `aggregate` runs on where documents are given in the command. */
export const GIVEN_DOCUMENTS = 1;

/** A join in one of the forms in which it can be written, of a collection that no other form joins. */
export interface PlantedJoin {
  readonly form: string;
  /** The collection that needs the index. */
  readonly foreign: string;
  /** The field that it must hold. */
  readonly path: string;
  /** Further views that the join runs on. */
  readonly views?: Readonly<Record<string, { readonly viewOn: string; readonly pipeline: Document[] }>>;
  /** What runs, on `orders` or on the collection or view named. */
  readonly on?: string | typeof GIVEN_DOCUMENTS;
  readonly pipeline: readonly Document[];
  /** Run in place of an aggregate of the pipeline, on the view. */
  readonly command?: (view: string) => Document;
  readonly options?: AggregateOptions;
  /** False where a view cannot hold such a pipeline. */
  readonly fitsView?: false;
}

const fields = (from: string, foreignField = 'k') => ({
  $lookup: { from, localField: 'k', foreignField, as: 'found' },
});
const expression = (from: string, condition: Document) => within(from, [{ $match: { $expr: condition } }]);
const within = (from: string, pipeline: Document[]) => ({
  $lookup: { from, let: { id: '$k' }, pipeline, as: 'found' },
});
const graph = (from: string, connectToField = 'k') => ({
  $graphLookup: { from, startWith: '$k', connectFromField: 'next', connectToField, as: 'found' },
});
const equal = { $eq: ['$k', '$$id'] };

const join = (
  form: string,
  foreign: string,
  path: string,
  rest: Omit<PlantedJoin, 'form' | 'foreign' | 'path'>,
): PlantedJoin => ({ form, foreign, path, ...rest });

/** Every form, each with a collection of its own to join. */
export const PLANTED_JOINS: readonly PlantedJoin[] = [
  join('localField and foreignField', 'by_fields', 'k', { pipeline: [fields('by_fields')] }),
  join('a dotted path', 'by_path', 'inner.k', { pipeline: [fields('by_path', 'inner.k')] }),
  join('a collection with itself', 'by_itself', 'k', {
    on: 'by_itself',
    pipeline: [{ $limit: 5 }, fields('by_itself')],
  }),
  join('unwound and filtered', 'unwound', 'k', {
    pipeline: [fields('unwound'), { $unwind: '$found' }, { $match: { 'found.at': 3 } }],
  }),
  join('in batches', 'in_batches', 'k', { pipeline: [fields('in_batches')], options: { batchSize: 2 } }),
  join('by a collation', 'collated', 'name', {
    pipeline: [fields('collated', 'name')],
    options: { collation: COLLATION },
  }),
  join('$expr', 'by_expression', 'k', { pipeline: [expression('by_expression', equal)] }),
  join('$expr, sides exchanged', 'exchanged', 'k', { pipeline: [expression('exchanged', { $eq: ['$$id', '$k'] })] }),
  join('$expr, sides exchanged, within $and', 'by_and', 'k', {
    pipeline: [expression('by_and', { $and: [{ $and: [{ $eq: ['$$id', '$k'] }] }, { $gte: ['$at', 0] }] })],
  }),
  join('$expr within the $and of a filter', 'by_filter', 'k', {
    pipeline: [within('by_filter', [{ $match: { $and: [{ at: { $gte: 0 } }, { $and: [{ $expr: equal }] }] } }])],
  }),
  join('$expr, by $$ROOT', 'by_root', 'k', { pipeline: [expression('by_root', { $eq: ['$$ROOT.k', '$$id'] })] }),
  join('$expr, by a variable that is a document', 'by_document', 'k', {
    pipeline: [
      {
        $lookup: {
          from: 'by_document',
          let: { order: '$$ROOT' },
          pipeline: [{ $match: { $expr: { $eq: ['$k', '$$order.k'] } } }],
          as: 'found',
        },
      },
    ],
  }),
  join('$expr, by a converted variable', 'converted', 'k', {
    pipeline: [
      {
        $lookup: {
          from: 'converted',
          let: { id: { $toInt: '$k' } },
          pipeline: [{ $match: { $expr: equal } }],
          as: 'found',
        },
      },
    ],
  }),
  join('$expr behind stages that let it pass', 'behind_stages', 'k', {
    pipeline: [
      within('behind_stages', [
        { $addFields: { n: 1 } },
        { $sort: { at: 1 } },
        { $match: { $expr: equal } },
        { $project: { k: 1 } },
      ]),
    ],
  }),
  join('$expr by the new name of a field', 'renamed_within', 'k', {
    pipeline: [
      within('renamed_within', [{ $addFields: { key: '$k' } }, { $match: { $expr: { $eq: ['$key', '$$id'] } } }]),
    ],
  }),
  join('the concise correlated form', 'by_both', 'k', {
    pipeline: [
      {
        $lookup: {
          from: 'by_both',
          localField: 'k',
          foreignField: 'k',
          pipeline: [{ $match: { at: { $gte: 0 } } }],
          as: 'found',
        },
      },
    ],
  }),
  join('the concise correlated form with variables', 'by_both_and_let', 'k', {
    pipeline: [
      {
        $lookup: {
          from: 'by_both_and_let',
          localField: 'k',
          foreignField: 'k',
          let: { id: '$k' },
          pipeline: [{ $match: { $expr: { $gte: ['$at', '$$id'] } } }],
          as: 'found',
        },
      },
    ],
  }),
  join('$graphLookup', 'by_graph', 'k', { pipeline: [graph('by_graph')] }),
  join('in $facet', 'in_facet', 'k', { pipeline: [{ $facet: { one: [fields('in_facet')], two: [{ $count: 'n' }] } }] }),
  join('$graphLookup in $facet', 'graph_in_facet', 'k', {
    pipeline: [{ $facet: { one: [{ $limit: 3 }, graph('graph_in_facet')] } }],
  }),
  join('in $unionWith', 'in_union', 'k', {
    pipeline: [{ $unionWith: { coll: 'orders', pipeline: [fields('in_union')] } }],
  }),
  join('in a $unionWith within $facet', 'in_union_in_facet', 'k', {
    pipeline: [
      { $facet: { one: [{ $unionWith: { coll: 'orders', pipeline: [expression('in_union_in_facet', equal)] } }] } },
    ],
  }),
  join('in a view named by $unionWith', 'in_view_in_union', 'k', {
    views: { united: { viewOn: 'orders', pipeline: [fields('in_view_in_union')] } },
    pipeline: [{ $limit: 1 }, { $unionWith: 'united' }],
  }),
  join('within another join', 'nested', 'k', {
    pipeline: [
      {
        $lookup: {
          from: 'customers',
          localField: 'k',
          foreignField: '_id',
          pipeline: [fields('nested')],
          as: 'customers',
        },
      },
    ],
  }),
  join('within another join, by its variable', 'nested_by_variable', 'k', {
    pipeline: [
      within('customers', [
        { $match: { $expr: { $eq: ['$_id', '$$id'] } } },
        { $lookup: { from: 'nested_by_variable', pipeline: [{ $match: { $expr: equal } }], as: 'found' } },
      ]),
    ],
  }),
  join('of documents in the command', 'of_documents', 'k', {
    on: GIVEN_DOCUMENTS,
    pipeline: [{ $documents: [{ k: 1 }, { k: 2 }] }, fields('of_documents')],
    fitsView: false,
  }),
  join('within a join with documents in the command', 'within_documents', 'k', {
    pipeline: [
      { $limit: 2 },
      { $lookup: { pipeline: [{ $documents: [{ k: 1 }] }, fields('within_documents')], as: 'documents' } },
    ],
  }),
  join('into $merge', 'merged', 'k', {
    pipeline: [fields('merged'), { $merge: { into: 'merge_target' } }],
    fitsView: false,
  }),
  join('into $out', 'put_out', 'k', { pipeline: [fields('put_out'), { $out: 'out_target' }], fitsView: false }),
  join('into $merge of another database', 'merged_elsewhere', 'k', {
    pipeline: [expression('merged_elsewhere', equal), { $merge: { into: { db: OTHER_DATABASE, coll: 'target' } } }],
    fitsView: false,
  }),
  join('into $out of another database', 'put_elsewhere', 'k', {
    pipeline: [fields('put_elsewhere'), { $out: { db: OTHER_DATABASE, coll: 'out_target' } }],
    fitsView: false,
  }),
  join('in a view that is read', 'of_view', 'k', {
    views: { detailed: { viewOn: 'orders', pipeline: [fields('of_view')] } },
    on: 'detailed',
    pipeline: [{ $match: { k: { $lt: 5 } } }],
  }),
  join('in a view of a view', 'of_view_of_view', 'k', {
    views: {
      joined: { viewOn: 'orders', pipeline: [fields('of_view_of_view')] },
      counted: { viewOn: 'joined', pipeline: [{ $addFields: { n: { $size: '$found' } } }] },
    },
    on: 'counted',
    pipeline: [{ $project: { n: 1 } }],
  }),
  ...(['find', 'count', 'distinct'] as const).map((name): PlantedJoin => ({
    form: `in a view that is read by ${name}`,
    foreign: `of_view_by_${name}`,
    path: 'k',
    views: { [`by_${name}`]: { viewOn: 'orders', pipeline: [fields(`of_view_by_${name}`)] } },
    on: `by_${name}`,
    pipeline: [],
    command: (view) => ({
      [name]: view,
      ...(name === 'distinct' ? { key: 'found.at' } : {}),
      [name === 'find' ? 'filter' : 'query']: { 'found.at': 3 },
    }),
  })),
  join('from a view that renames the local field', 'from_renamed', 'k', {
    views: { numbered: { viewOn: 'orders', pipeline: [{ $project: { number: '$k' } }] } },
    on: 'numbered',
    pipeline: [{ $lookup: { from: 'from_renamed', localField: 'number', foreignField: 'k', as: 'found' } }],
  }),
  join('of a view that renames the field by $project', 'behind_view', 'k', {
    views: { renamed: { viewOn: 'behind_view', pipeline: [{ $project: { key: '$k' } }] } },
    pipeline: [fields('renamed', 'key')],
  }),
  join('of a view of a view that renames the field by $addFields', 'behind_views', 'k', {
    views: {
      keyed: { viewOn: 'behind_views', pipeline: [{ $match: { at: { $gte: 0 } } }, { $addFields: { key: '$k' } }] },
      rekeyed: { viewOn: 'keyed', pipeline: [{ $set: { again: '$key' } }] },
    },
    pipeline: [expression('rekeyed', { $eq: ['$again', '$$id'] })],
  }),
  join('$graphLookup of a view that renames the field', 'graph_behind_view', 'k', {
    views: { linked: { viewOn: 'graph_behind_view', pipeline: [{ $addFields: { key: '$k' } }] } },
    pipeline: [graph('linked', 'key')],
  }),
];
