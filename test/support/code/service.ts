/** A small service on MongoDB's driver, and five pull requests that each bring one fault into it. */

/** The line that a pull request adds, for which its finding is expected, ends in this comment. */
export const FAULT = '// fault';

type Files = Readonly<Record<string, string>>;

const STORE = `import { collection } from '../database.js';`;

export const SERVICE: Files = {
  'src/database.js': `import { MongoClient } from 'mongodb';

let client;
let database;

export async function connect(uri, name) {
  client = await new MongoClient(uri).connect();
  database = client.db(name);
}
export const close = () => client.close();
export const collection = (name) => database.collection(name);
`,
  'src/stores/users.js': `${STORE}
const users = () => collection('users');

export const createIndexes = () => users().createIndex({ name: 1 });
export const one = (id) => users().findOne({ _id: id });
export const search = (text) =>
  users()
    .find({ name: { $gte: text, $lt: \`\${text}~\` } })
    .sort({ name: 1 })
    .limit(20)
    .toArray();
`,
  'src/stores/orders.js': `${STORE}
const orders = () => collection('orders');

export const createIndexes = async () => {
  await orders().createIndex({ customer: 1, at: -1 });
  await collection('invoices').createIndex({ order: 1 });
};
export const one = (id) => orders().findOne({ _id: id });
export const ofCustomer = (customer) => orders().find({ customer }).sort({ at: -1 }).limit(20).toArray();
export const withInvoices = (id) =>
  orders()
    .aggregate([
      { $match: { _id: id } },
      { $lookup: { from: 'invoices', localField: '_id', foreignField: 'order', as: 'invoices' } },
    ])
    .toArray();
`,
  'src/stores/posts.js': `${STORE}
const posts = () => collection('posts');

export const createIndexes = () => collection('votes').createIndex({ post: 1, user: 1 }, { unique: true });
export const one = (id) => posts().findOne({ _id: id });
export const read = (id) => posts().updateOne({ _id: id }, { $inc: { reads: 1 } });
export const comment = (id, text) => collection('comments').insertOne({ post: id, text });
export const vote = (id, user) => collection('votes').updateOne({ post: id, user }, { $set: { up: true } }, { upsert: true });
`,
  'test/users.test.js': `import { collection } from '../src/database.js';
export const clean = () => collection('users').deleteMany({});
`,
};

/** What a pull request changes, the check that has to report it, and whether a recording is needed for that. */
interface PullRequest {
  readonly change: (files: Files) => Files;
  readonly check: string;
  readonly of: 'operation' | 'join' | 'push';
  /** Whether the source and production's evidence are enough. */
  readonly isInSource: boolean;
}

const changed = (file: string, from: string, to: string) => (files: Files) => {
  const text = files[file] ?? '';
  if (!text.includes(from)) throw new Error(`${file} has no such text.`);
  return { ...files, [file]: text.replace(from, to) };
};

export const PULL_REQUESTS: Readonly<Record<string, PullRequest>> = {
  'an unindexed join': {
    change: changed(
      'src/stores/orders.js',
      `{ $lookup: { from: 'invoices', localField: '_id', foreignField: 'order', as: 'invoices' } },`,
      `{ $lookup: { from: 'payments', localField: '_id', foreignField: 'order', as: 'payments' } }, ${FAULT}`,
    ),
    check: 'missing-lookup-index',
    of: 'join',
    isInSource: true,
  },
  'an array without a bound': {
    change: changed(
      'src/stores/posts.js',
      `export const comment = (id, text) => collection('comments').insertOne({ post: id, text });`,
      `export const comment = (id, text) =>
  posts().updateOne(
    { _id: id },
    {
      $push: { comments: { text } }, ${FAULT}
    },
  );`,
    ),
    check: 'unbounded-array',
    of: 'push',
    isInSource: false,
  },
  'a dropped index': {
    change: (files) =>
      changed(
        'src/stores/orders.js',
        `  await orders().createIndex({ customer: 1, at: -1 });\n`,
        '',
      )(changed('src/stores/orders.js', `.limit(20).toArray();`, `.limit(20).toArray(); ${FAULT}`)(files)),
    check: 'collection-scan',
    of: 'operation',
    isInSource: false,
  },
  'a search without regard to case': {
    change: changed(
      'src/stores/users.js',
      `    .find({ name: { $gte: text, $lt: \`\${text}~\` } })`,
      `    .find({ name: { $regex: text, $options: 'i' } }) ${FAULT}`,
    ),
    check: 'case-insensitive-regex',
    of: 'operation',
    isInSource: false,
  },
  'a map keyed by user id': {
    change: changed(
      'src/stores/posts.js',
      `collection('votes').updateOne({ post: id, user }, { $set: { up: true } }, { upsert: true });`,
      `posts().updateOne({ _id: id }, { $set: { [\`votes.\${user}\`]: true } }); ${FAULT}`,
    ),
    check: 'dynamic-field-names',
    of: 'push',
    isInSource: false,
  },
};

/** "src/stores/orders.js:14", where the fault is. */
export function faultOf(files: Files): { readonly file: string; readonly line: number } {
  const [found, ...others] = Object.entries(files).flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => (line.includes(FAULT) ? [{ file, line: index + 1 }] : [])),
  );
  if (found === undefined || others.length > 0) throw new Error('A pull request has one fault.');
  return found;
}
