import { MongoDBService } from '@feathersjs/mongodb';
import { MongoClient } from 'mongodb';
import { uri } from './support.mjs';

const client = await new MongoClient(uri).connect();
const people = new MongoDBService({
  Model: client.db().collection('people'),
  multi: true,
  paginate: { default: 5, max: 50 },
  operators: ['$regex'],
});
await people.create(Array.from({ length: 20 }, (_, number) => ({ name: `person ${number}`, age: number })));
const one = await people.create({ name: 'another', age: 40 });
const id = one._id.toString();
await people.get(id);
await people.get(id, { query: { $select: ['name'] } });
await people.get(id, { pipeline: [], query: {} });
await people.find({ query: { age: { $gt: 3 }, $sort: { age: 1 }, $limit: 3, $skip: 1, $select: ['age'] } });
await people.find({ query: { name: 'another' }, paginate: false });
await people.find({ query: { $limit: 0 } });
await people.find({ query: {}, pipeline: [{ $match: { age: { $lt: 30 } } }, { $group: { _id: '$age' } }] });
await people.patch(id, { age: 41 });
await people.patch(id, { $inc: { age: 1 } }, { pipeline: [], query: {} });
await people.patch(null, { old: true }, { query: { age: { $gt: 10 } } });
await people.update(id, { name: 'replaced' });
await people.update(id, { name: 'replaced again' }, { pipeline: [], query: {} });
await people.remove(id, { pipeline: [], query: {} });
await people.remove(null, { query: { age: 3 } });
const [other] = await people.find({ query: {}, paginate: false });
await people.remove(other._id.toString());
await client.close();
