import type { Db } from 'mongodb';
import { GIVEN_DOCUMENTS, PLANTED_JOINS, type PlantedJoin } from './planted-joins.js';

/** Documents of each joined collection: enough for a finding. */
export const FOREIGN_DOCUMENTS = 1_200;
const OUTER_DOCUMENTS = 12;

/** Plants what the joins read: `orders`, and a collection without an index on the joined field for each form. */
export async function plantJoins(database: Db): Promise<void> {
  const orders = Array.from({ length: OUTER_DOCUMENTS }, (_, k) => ({ k }));
  await database.collection('orders').insertMany(orders);
  await database.collection<{ _id: number }>('customers').insertMany(orders.map(({ k }) => ({ _id: k, k })));
  const documents = Array.from({ length: FOREIGN_DOCUMENTS }, (_, _id) => ({
    _id,
    k: _id,
    name: _id,
    inner: { k: _id },
    at: _id % 7,
    next: -1,
  }));
  for (const { foreign, views = {} } of PLANTED_JOINS) {
    await database.collection<{ _id: number }>(foreign).insertMany(documents);
    for (const [name, { viewOn, pipeline }] of Object.entries(views))
      await database.createCollection(name, { viewOn, pipeline });
  }
}

/** Runs every join, with its form as its comment. */
export async function runJoins(database: Db): Promise<void> {
  for (const { form: comment, on = 'orders', pipeline, command, options } of PLANTED_JOINS) {
    if (on === GIVEN_DOCUMENTS) await database.aggregate([...pipeline], { comment }).toArray();
    else if (command !== undefined) await database.command({ ...command(on), comment });
    else
      await database
        .collection(on)
        .aggregate([...pipeline], { ...options, comment })
        .toArray();
  }
}

/** The joins as views that nobody reads; the forms that are about views are views already. */
export async function plantJoinsAsViews(database: Db): Promise<readonly PlantedJoin[]> {
  const fitting = PLANTED_JOINS.filter(({ fitsView }) => fitsView !== false);
  const views = new Set(fitting.flatMap((join) => Object.keys(join.views ?? {})));
  for (const { foreign, pipeline, on = 'orders', options } of fitting) {
    if (on === GIVEN_DOCUMENTS || (views.has(on) && pipeline.length === 0)) continue;
    const { collation } = options ?? {};
    await database.createCollection(`view_${foreign}`, {
      viewOn: on,
      pipeline: [...pipeline],
      ...(collation && { collation }),
    });
  }
  return fitting;
}
