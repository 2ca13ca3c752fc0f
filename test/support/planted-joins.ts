import type { Db, Document } from 'mongodb';

/** Documents of each joined collection: enough for a finding. */
const FOREIGN_DOCUMENTS = 1_200;
const OUTER_DOCUMENTS = 12;

/** A join in one of the forms in which it can be written, of a collection that no other form joins. */
export interface PlantedJoin {
  readonly form: string;
  /** The collection that needs the index. */
  readonly foreign: string;
  /** The field that it must hold. */
  readonly path: string;
  /** Further views that the join runs on. */
  readonly views?: Readonly<Record<string, { readonly viewOn: string; readonly pipeline: Document[] }>>;
  /** What runs, on `orders` or on the view named. */
  readonly on?: string;
  readonly pipeline: readonly Document[];
  /** False where a view cannot hold such a pipeline. */
  readonly fitsView?: false;
}

const fields = (from: string, foreignField = 'k') => ({ $lookup: { from, localField: 'k', foreignField, as: 'found' } });
const expression = (from: string, condition: Document) => ({
  $lookup: { from, let: { id: '$k' }, pipeline: [{ $match: { $expr: condition } }], as: 'found' },
});

/** Every form, each with a collection of its own to join. */
export const PLANTED_JOINS: readonly PlantedJoin[] = [
  { form: 'localField and foreignField', foreign: 'by_fields', path: 'k', pipeline: [fields('by_fields')] },
  { form: 'a dotted path', foreign: 'by_path', path: 'inner.k', pipeline: [fields('by_path', 'inner.k')] },
  { form: '$expr', foreign: 'by_expression', path: 'k', pipeline: [expression('by_expression', { $eq: ['$k', '$$id'] })] },
  {
    form: '$expr, sides exchanged, within $and',
    foreign: 'by_and',
    path: 'k',
    pipeline: [expression('by_and', { $and: [{ $and: [{ $eq: ['$$id', '$k'] }] }, { $gte: ['$at', 0] }] })],
  },
  {
    form: 'the concise correlated form',
    foreign: 'by_both',
    path: 'k',
    pipeline: [{ $lookup: { from: 'by_both', localField: 'k', foreignField: 'k', pipeline: [{ $match: { at: { $gte: 0 } } }], as: 'found' } }],
  },
  {
    form: '$graphLookup',
    foreign: 'by_graph',
    path: 'k',
    pipeline: [{ $graphLookup: { from: 'by_graph', startWith: '$k', connectFromField: 'next', connectToField: 'k', as: 'found' } }],
  },
  { form: 'in $facet', foreign: 'in_facet', path: 'k', pipeline: [{ $facet: { one: [fields('in_facet')], two: [{ $count: 'n' }] } }] },
  { form: 'in $unionWith', foreign: 'in_union', path: 'k', pipeline: [{ $unionWith: { coll: 'orders', pipeline: [fields('in_union')] } }] },
  {
    form: 'within another join',
    foreign: 'nested',
    path: 'k',
    pipeline: [{ $lookup: { from: 'customers', localField: 'k', foreignField: '_id', pipeline: [fields('nested')], as: 'customers' } }],
  },
  { form: 'into $merge', foreign: 'merged', path: 'k', pipeline: [fields('merged'), { $merge: { into: 'merge_target' } }], fitsView: false },
  { form: 'into $out', foreign: 'put_out', path: 'k', pipeline: [fields('put_out'), { $out: 'out_target' }], fitsView: false },
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
  {
    form: 'of a view that renames the field',
    foreign: 'behind_view',
    path: 'k',
    views: { renamed: { viewOn: 'behind_view', pipeline: [{ $project: { key: '$k' } }] } },
    pipeline: [fields('renamed', 'key')],
  },
];

/** Plants what the joins read: `orders`, and a collection without an index on the joined field for each form. */
export async function plantJoins(database: Db): Promise<void> {
  const orders = Array.from({ length: OUTER_DOCUMENTS }, (_, k) => ({ k }));
  await database.collection('orders').insertMany(orders);
  await database.collection<{ _id: number }>('customers').insertMany(orders.map(({ k }) => ({ _id: k, k })));
  const documents = Array.from({ length: FOREIGN_DOCUMENTS }, (_, _id) => ({ _id, k: _id, inner: { k: _id }, at: _id % 7, next: -1 }));
  for (const { foreign, views = {} } of PLANTED_JOINS) {
    await database.collection<{ _id: number }>(foreign).insertMany(documents);
    for (const [name, { viewOn, pipeline }] of Object.entries(views)) await database.createCollection(name, { viewOn, pipeline });
  }
}

/** Runs every join. */
export async function runJoins(database: Db): Promise<void> {
  for (const { on = 'orders', pipeline } of PLANTED_JOINS) await database.collection(on).aggregate([...pipeline]).toArray();
}

/** The joins as views that nobody reads; the forms that are about views are views already. */
export async function plantJoinsAsViews(database: Db): Promise<readonly PlantedJoin[]> {
  const fitting = PLANTED_JOINS.filter(({ fitsView }) => fitsView !== false);
  for (const { foreign, pipeline, on } of fitting) {
    if (on === undefined) await database.createCollection(`view_${foreign}`, { viewOn: 'orders', pipeline: [...pipeline] });
  }
  return fitting;
}
