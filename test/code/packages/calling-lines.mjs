/**
 * A preload for the programs: operations of every driver that is installed here get a comment with the lines of the package
 * that led to them, nearest first, as the stack has them. mongoose sends a query later than its line: that line is kept with it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = process.env.CODE_SOURCE;
const FRAMES = 100;
const FRAME = /(?:\(|at (async )?)((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*):(\d+):\d+\)?$/;
const meant = new AsyncLocalStorage();
/** Queries and pipelines of mongoose, with where they were made. */
const made = new WeakMap();

/** Lines of the package on the stack; whether the nearest is a call, not an `await`. */
function callers(method) {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const trace = {};
  Error.captureStackTrace(trace, method);
  Error.stackTraceLimit = before;
  const found = trace.stack.split('\n').flatMap((text) => {
    const [, , place, line] = FRAME.exec(text) ?? [];
    if (place === undefined) return [];
    const file = relative(SOURCE, place.startsWith('file:') ? fileURLToPath(place) : place);
    if (file.startsWith('..') || file.split(sep).includes('node_modules')) return [];
    return [{ line: `${file.replaceAll(sep, '/')}:${line}`, isAwait: text.includes('at async ') }];
  });
  return { lines: found.map(({ line }) => line), isCall: found[0]?.isAwait === false };
}

function wrap(of, name, around) {
  const call = of?.[name];
  if (typeof call !== 'function') return;
  of[name] = function wrapped(...given) {
    return around(this, given, call, wrapped);
  };
}

const OPTIONS_AT = {
  aggregate: 1,
  bulkWrite: 1,
  count: 1,
  countDocuments: 1,
  deleteMany: 1,
  deleteOne: 1,
  distinct: 2,
  find: 1,
  findOne: 1,
  findOneAndDelete: 1,
  findOneAndReplace: 2,
  findOneAndUpdate: 2,
  insertMany: 1,
  insertOne: 1,
  replaceOne: 2,
  updateMany: 2,
  updateOne: 2,
};

function linesFor(collection, method) {
  const { lines, isCall } = callers(method);
  const store = meant.getStore();
  if (isCall || store === undefined) return lines;
  return store.collection !== null && store.collection !== collection && store.populated.length > 0
    ? store.populated
    : store.lines;
}

function markDriver({ Collection }) {
  for (const [name, at] of Object.entries(OPTIONS_AT))
    wrap(Collection.prototype, name, (self, given, call, method) => {
      const lines = linesFor(self.collectionName, method);
      const options = given[at];
      if (lines.length === 0 || typeof options === 'function') return call.apply(self, given);
      const all = Array.from({ length: Math.max(given.length, at + 1) }, (_, index) => given[index]);
      all[at] = { ...options, comment: `stack=${lines.join()}` };
      return call.apply(self, all);
    });
}

const OF_MODEL =
  'find findOne findById exists countDocuments estimatedDocumentCount distinct updateOne updateMany replaceOne deleteOne deleteMany ' +
  'findOneAndUpdate findOneAndReplace findOneAndDelete findByIdAndUpdate findByIdAndDelete aggregate create insertMany bulkWrite';

function markMongoose({ Model, Query, Aggregate }) {
  const noted = (self, given, call, method) => {
    const { lines } = callers(method);
    if (lines.length === 0) return call.apply(self, given);
    const collection = (self.collection ?? self.constructor.collection)?.collectionName ?? null;
    const store = { lines, collection, populated: [] };
    const result = meant.run(store, () => call.apply(self, given));
    if ((result instanceof Query || result instanceof Aggregate) && !made.has(result)) made.set(result, store);
    return result;
  };
  for (const name of OF_MODEL.split(' ')) wrap(Model, name, noted);
  for (const name of ['save', 'deleteOne', 'updateOne']) wrap(Model.prototype, name, noted);
  for (const Lazy of [Query, Aggregate])
    for (const name of ['exec', 'cursor'])
      wrap(Lazy.prototype, name, (self, given, call) => {
        const store = made.get(self);
        return store === undefined ? call.apply(self, given) : meant.run(store, () => call.apply(self, given));
      });
  wrap(Query.prototype, 'populate', (self, given, call, method) => {
    made.get(self)?.populated.push(...callers(method).lines);
    return call.apply(self, given);
  });
}

/** Every copy of a package below a folder. */
function copies(folder, name, isScope = false) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('@')) return copies(path, name, true);
    const inner = readdirSync(path).includes('node_modules') ? copies(join(path, 'node_modules'), name) : [];
    return entry.name === name && !isScope ? [path, ...inner] : inner;
  });
}

const installed = join(process.cwd(), 'node_modules');
const load = createRequire(join(process.cwd(), 'package.json'));
for (const driver of copies(installed, 'mongodb')) markDriver(load(driver));
for (const mongoose of copies(installed, 'mongoose')) markMongoose(load(mongoose));
