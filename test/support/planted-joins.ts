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

/** Every form, each with a collection of its own to join. */
export const PLANTED_JOINS: readonly PlantedJoin[] = [
  { form: 'localField and foreignField', foreign: 'by_fields', path: 'k', pipeline: [fields('by_fields')] },
  { form: 'a dotted path', foreign: 'by_path', path: 'inner.k', pipeline: [fields('by_path', 'inner.k')] },
  {
    form: 'a collection with itself',
    foreign: 'by_itself',
    path: 'k',
    on: 'by_itself',
    pipeline: [{ $limit: 5 }, fields('by_itself')],
  },
  {
    form: 'unwound and filtered',
    foreign: 'unwound',
    path: 'k',
    pipeline: [fields('unwound'), { $unwind: '$found' }, { $match: { 'found.at': 3 } }],
  },
  { form: 'in batches', foreign: 'in_batches', path: 'k', pipeline: [fields('in_batches')], options: { batchSize: 2 } },
  {
    form: 'by a collation',
    foreign: 'collated',
    path: 'name',
    pipeline: [fields('collated', 'name')],
    options: { collation: COLLATION },
  },
  { form: '$expr', foreign: 'by_expression', path: 'k', pipeline: [expression('by_expression', equal)] },
  {
    form: '$expr, sides exchanged',
    foreign: 'exchanged',
    path: 'k',
    pipeline: [expression('exchanged', { $eq: ['$$id', '$k'] })],
  },
  {
    form: '$expr, sides exchanged, within $and',
    foreign: 'by_and',
    path: 'k',
    pipeline: [expression('by_and', { $and: [{ $and: [{ $eq: ['$$id', '$k'] }] }, { $gte: ['$at', 0] }] })],
  },
  {
    form: '$expr within the $and of a filter',
    foreign: 'by_filter',
    path: 'k',
    pipeline: [within('by_filter', [{ $match: { $and: [{ at: { $gte: 0 } }, { $and: [{ $expr: equal }] }] } }])],
  },
  {
    form: '$expr, by $$ROOT',
    foreign: 'by_root',
    path: 'k',
    pipeline: [expression('by_root', { $eq: ['$$ROOT.k', '$$id'] })],
  },
  {
    form: '$expr, by a variable that is a document',
    foreign: 'by_document',
    path: 'k',
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
  },
  {
    form: '$expr, by a converted variable',
    foreign: 'converted',
    path: 'k',
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
  },
  {
    form: '$expr behind stages that let it pass',
    foreign: 'behind_stages',
    path: 'k',
    pipeline: [
      within('behind_stages', [
        { $addFields: { n: 1 } },
        { $sort: { at: 1 } },
        { $match: { $expr: equal } },
        { $project: { k: 1 } },
      ]),
    ],
  },
  {
    form: '$expr by the new name of a field',
    foreign: 'renamed_within',
    path: 'k',
    pipeline: [
      within('renamed_within', [{ $addFields: { key: '$k' } }, { $match: { $expr: { $eq: ['$key', '$$id'] } } }]),
    ],
  },
  {
    form: 'the concise correlated form',
    foreign: 'by_both',
    path: 'k',
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
  },
  {
    form: 'the concise correlated form with variables',
    foreign: 'by_both_and_let',
    path: 'k',
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
  },
  { form: '$graphLookup', foreign: 'by_graph', path: 'k', pipeline: [graph('by_graph')] },
  {
    form: 'in $facet',
    foreign: 'in_facet',
    path: 'k',
    pipeline: [{ $facet: { one: [fields('in_facet')], two: [{ $count: 'n' }] } }],
  },
  {
    form: '$graphLookup in $facet',
    foreign: 'graph_in_facet',
    path: 'k',
    pipeline: [{ $facet: { one: [{ $limit: 3 }, graph('graph_in_facet')] } }],
  },
  {
    form: 'in $unionWith',
    foreign: 'in_union',
    path: 'k',
    pipeline: [{ $unionWith: { coll: 'orders', pipeline: [fields('in_union')] } }],
  },
  {
    form: 'in a $unionWith within $facet',
    foreign: 'in_union_in_facet',
    path: 'k',
    pipeline: [
      { $facet: { one: [{ $unionWith: { coll: 'orders', pipeline: [expression('in_union_in_facet', equal)] } }] } },
    ],
  },
  {
    form: 'in a view named by $unionWith',
    foreign: 'in_view_in_union',
    path: 'k',
    views: { united: { viewOn: 'orders', pipeline: [fields('in_view_in_union')] } },
    pipeline: [{ $limit: 1 }, { $unionWith: 'united' }],
  },
  {
    form: 'within another join',
    foreign: 'nested',
    path: 'k',
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
  },
  {
    form: 'within another join, by its variable',
    foreign: 'nested_by_variable',
    path: 'k',
    pipeline: [
      within('customers', [
        { $match: { $expr: { $eq: ['$_id', '$$id'] } } },
        { $lookup: { from: 'nested_by_variable', pipeline: [{ $match: { $expr: equal } }], as: 'found' } },
      ]),
    ],
  },
  {
    form: 'of documents in the command',
    foreign: 'of_documents',
    path: 'k',
    on: GIVEN_DOCUMENTS,
    pipeline: [{ $documents: [{ k: 1 }, { k: 2 }] }, fields('of_documents')],
    fitsView: false,
  },
  {
    form: 'within a join with documents in the command',
    foreign: 'within_documents',
    path: 'k',
    pipeline: [
      { $limit: 2 },
      { $lookup: { pipeline: [{ $documents: [{ k: 1 }] }, fields('within_documents')], as: 'documents' } },
    ],
  },
  {
    form: 'into $merge',
    foreign: 'merged',
    path: 'k',
    pipeline: [fields('merged'), { $merge: { into: 'merge_target' } }],
    fitsView: false,
  },
  {
    form: 'into $out',
    foreign: 'put_out',
    path: 'k',
    pipeline: [fields('put_out'), { $out: 'out_target' }],
    fitsView: false,
  },
  {
    form: 'into $merge of another database',
    foreign: 'merged_elsewhere',
    path: 'k',
    pipeline: [expression('merged_elsewhere', equal), { $merge: { into: { db: OTHER_DATABASE, coll: 'target' } } }],
    fitsView: false,
  },
  {
    form: 'into $out of another database',
    foreign: 'put_elsewhere',
    path: 'k',
    pipeline: [fields('put_elsewhere'), { $out: { db: OTHER_DATABASE, coll: 'out_target' } }],
    fitsView: false,
  },
  {
    form: 'in a view that is read',
    foreign: 'of_view',
    path: 'k',
    views: { detailed: { viewOn: 'orders', pipeline: [fields('of_view')] } },
    on: 'detailed',
    pipeline: [{ $match: { k: { $lt: 5 } } }],
  },
  {
    form: 'in a view of a view',
    foreign: 'of_view_of_view',
    path: 'k',
    views: {
      joined: { viewOn: 'orders', pipeline: [fields('of_view_of_view')] },
      counted: { viewOn: 'joined', pipeline: [{ $addFields: { n: { $size: '$found' } } }] },
    },
    on: 'counted',
    pipeline: [{ $project: { n: 1 } }],
  },
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
  {
    form: 'from a view that renames the local field',
    foreign: 'from_renamed',
    path: 'k',
    views: { numbered: { viewOn: 'orders', pipeline: [{ $project: { number: '$k' } }] } },
    on: 'numbered',
    pipeline: [{ $lookup: { from: 'from_renamed', localField: 'number', foreignField: 'k', as: 'found' } }],
  },
  {
    form: 'of a view that renames the field by $project',
    foreign: 'behind_view',
    path: 'k',
    views: { renamed: { viewOn: 'behind_view', pipeline: [{ $project: { key: '$k' } }] } },
    pipeline: [fields('renamed', 'key')],
  },
  {
    form: 'of a view of a view that renames the field by $addFields',
    foreign: 'behind_views',
    path: 'k',
    views: {
      keyed: { viewOn: 'behind_views', pipeline: [{ $match: { at: { $gte: 0 } } }, { $addFields: { key: '$k' } }] },
      rekeyed: { viewOn: 'keyed', pipeline: [{ $set: { again: '$key' } }] },
    },
    pipeline: [expression('rekeyed', { $eq: ['$again', '$$id'] })],
  },
  {
    form: '$graphLookup of a view that renames the field',
    foreign: 'graph_behind_view',
    path: 'k',
    views: { linked: { viewOn: 'graph_behind_view', pipeline: [{ $addFields: { key: '$k' } }] } },
    pipeline: [graph('linked', 'key')],
  },
];
