import { ObjectId, type Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { recordOperations } from '../recorded-operations.js';

const PARCELS = 200;

async function plantParcels(
  database: Db,
  parcels: string,
  shipments: string,
  reference: (id: ObjectId) => unknown,
): Promise<void> {
  const ids = Array.from({ length: PARCELS }, () => new ObjectId());
  await database.collection(shipments).insertMany(ids.map((_id, number) => ({ _id, route: `route ${number % 9}` })));
  await database.collection(parcels).insertMany(ids.map((id, number) => ({ number, shipment: reference(id) })));
  await database.collection(parcels).createIndex({ number: 1 });
  await recordOperations(database, async () => {
    const join = { $lookup: { from: shipments, localField: 'shipment', foreignField: '_id', as: 'shipment' } };
    for (let number = 0; number < 3; number += 1)
      await database
        .collection(parcels)
        .aggregate([{ $match: { number } }, join])
        .toArray();
  });
}

export const lookupTypeMismatch: Exhibit = {
  check: 'lookup-type-mismatch',
  story: 'references kept as text, joined with ObjectIds / kept as ObjectIds',
  bad: {
    name: 'parcels',
    path: 'shipment',
    beside: ['shipments_of_parcels'],
    plant(database) {
      return plantParcels(database, this.name, 'shipments_of_parcels', (id) => id.toHexString());
    },
  },
  twin: {
    name: 'parcels_typed',
    beside: ['shipments_of_typed_parcels'],
    plant(database) {
      return plantParcels(database, this.name, 'shipments_of_typed_parcels', (id) => id);
    },
  },
};
