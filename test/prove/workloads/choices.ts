/** Collections for which the order of equality, sort and range is not the cheapest, or one index serves several shapes. */
import type { ProvenWorkload } from '../proven-workload.js';
import { type Example, plantedWorkload } from './planted-workload.js';

/** Documents of each collection: fewer than the manual's examples have, so that these are not among the costliest. */
const SIZE = 4_000;
const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 1);
const at = (number: number) => new Date(START + number * MINUTE_MS);
/** In another order than `number`, each value once. */
const shuffled = (number: number) => (number * 7_919) % SIZE;

const EXAMPLES: readonly (Example & { readonly asks: string })[] = [
  {
    name: 'choice-range',
    asks: 'a range that leaves few documents, fewer than the limit, sorted by another field',
    documents: {
      orders: (number) => ({
        status: number % 10 === 0 ? 'returned' : 'open',
        createdAt: at(number),
        total: shuffled(number),
      }),
    },
    run: async (database, round) => {
      const createdAt = { $gte: at(SIZE - 40 - round) };
      const orders = database.collection('orders');
      await orders.find({ status: 'open', createdAt }).sort({ total: -1 }).limit(100).toArray();
    },
  },
  {
    name: 'choice-exists',
    asks: 'documents that have a field, which few have',
    documents: {
      items: (number) => ({ title: `item ${number}`, at: at(number), ...(number % 400 === 0 && { importId: number }) }),
    },
    run: async (database) => {
      const items = database.collection('items');
      await items.find({ importId: { $exists: true } }).toArray();
    },
  },
  {
    name: 'choice-or',
    asks: 'an alternative that most documents meet, and two that few do',
    documents: {
      files: (number) => ({
        owner: `user ${number % 200}`,
        reviewer: `user ${shuffled(number) % 200}`,
        isPublic: number % 5 !== 0,
        folder: `folder ${number % 140}`,
        size: shuffled(number),
      }),
    },
    run: async (database, round) => {
      const files = database.collection('files');
      const who = `user ${round}`;
      await files
        .find({ $or: [{ folder: `folder ${round}` }, { isPublic: true }] })
        .sort({ size: -1 })
        .limit(10)
        .toArray();
      await files.find({ $or: [{ owner: who }, { reviewer: who }] }).toArray();
      const score = { $add: ['$size', round] };
      const $match = { $or: [{ folder: `folder ${round}` }, { isPublic: true }] };
      await files
        .aggregate([{ $match }, { $addFields: { score } }, { $sort: { score: -1 } }, { $limit: 10 }])
        .toArray();
    },
  },
  {
    name: 'choice-order',
    asks: 'fields set equal in several combinations',
    documents: {
      events: (number) => ({
        tenant: `tenant ${number % 20}`,
        kind: `kind ${shuffled(number) % 30}`,
        state: `state ${shuffled(number) % 7}`,
        at: at(number),
      }),
    },
    run: async (database, round) => {
      const events = database.collection('events');
      const [tenant, kind, state] = [`tenant ${round}`, `kind ${round}`, `state ${round % 7}`];
      await events.find({ tenant, kind, state }).toArray();
      await events.find({ kind }).toArray();
      await events.find({ state, kind }).toArray();
    },
  },
  {
    name: 'choice-tail',
    asks: 'a field with few documents a value, and other conditions beside it',
    documents: {
      tickets: (number) => ({
        customer: `customer ${number % 800}`,
        kind: `kind ${shuffled(number) % 6}`,
        priority: shuffled(number) % 4,
        openedAt: at(shuffled(number)),
      }),
    },
    run: async (database, round) => {
      const tickets = database.collection('tickets');
      const customer = `customer ${round}`;
      await tickets.find({ customer, kind: `kind ${round % 6}` }).toArray();
      await tickets.find({ customer, priority: round % 4 }).toArray();
      await tickets.find({ customer }).sort({ openedAt: -1 }).toArray();
      await tickets.find({ customer, openedAt: { $gte: at(SIZE / 2) } }).toArray();
    },
  },
  {
    name: 'choice-two-values',
    asks: 'a truth value beside other conditions, and a page of all',
    documents: {
      tasks: (number) => ({
        done: number % 2 === 0,
        assignee: `user ${shuffled(number) % 160}`,
        dueAt: at(shuffled(number)),
        text: `task ${number}`,
      }),
    },
    run: async (database, round) => {
      const tasks = database.collection('tasks');
      await tasks.find({ done: false }).sort({ dueAt: 1 }).limit(20).toArray();
      await tasks.find().sort({ dueAt: 1 }).limit(20).toArray();
      await tasks.find({ done: false, assignee: `user ${round}` }).toArray();
      await tasks.countDocuments({ assignee: `user ${round}` });
    },
  },
  {
    name: 'choice-extended',
    asks: 'what indexes that are there find in part',
    documents: {
      messages: (number) => ({
        room: `room ${number % 10}`,
        author: `user ${shuffled(number) % 60}`,
        sentAt: at(number),
        flags: number % 3,
      }),
    },
    indexes: { messages: [{ room: 1 }, { author: 1 }] },
    run: async (database, round) => {
      const messages = database.collection('messages');
      await messages
        .find({ room: `room ${round % 10}` })
        .sort({ sentAt: -1 })
        .limit(20)
        .toArray();
      await messages.find({ author: `user ${round}`, flags: 1 }).toArray();
      await messages.find({ flags: 1, room: `room ${round % 10}`, author: `user ${round}` }).toArray();
    },
  },
];

export const CHOICE_WORKLOADS: readonly ProvenWorkload[] = EXAMPLES.map(({ asks, ...example }) =>
  plantedWorkload(example, `a collection for the choice of an index: ${asks}`, SIZE),
);
