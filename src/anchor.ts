/**
 * `mongolint/anchor`, a preload for test runs: operations of the driver that the working directory has, or that mongoose has
 * there, get the comment `at=FILE:LINE` of the line that calls them. Nothing on disk is changed.
 */
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

type Call = (this: unknown, ...given: unknown[]) => unknown;

/** Methods of a collection, by the position of their options. */
const OPTIONS_AT: Readonly<Record<string, number>> = {
  aggregate: 1,
  bulkWrite: 1,
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

/** Deep enough for what mongoose has on the way. */
const FRAMES = 50;

/** As in "at one (file:///shop/src/orders.js:42:7)". */
const FRAME = /(?:\(|at (?:async )?)((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*):(\d+):\d+\)?$/;

/** The line of the nearest caller that is no package's. */
function lineThatCalls(method: Call): string | null {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const trace = { stack: '' };
  Error.captureStackTrace(trace, method);
  Error.stackTraceLimit = before;
  for (const frame of trace.stack.split('\n')) {
    const [, place, line] = FRAME.exec(frame) ?? [];
    if (place === undefined) continue;
    const path = place.startsWith('file:') ? fileURLToPath(place) : place;
    if (!path.includes(`${sep}node_modules${sep}`))
      return `at=${relative(process.cwd(), path).replaceAll(sep, '/')}:${line}`;
  }
  return null;
}

function anchored(call: Call, optionsAt: number): Call {
  const method: Call = function (...given) {
    const options = given[optionsAt] as { readonly comment?: unknown } | null | undefined;
    const isGiven = options !== null && options !== undefined;
    // An older driver takes a callback there.
    if (isGiven && (typeof options !== 'object' || options.comment !== undefined)) return call.apply(this, given);
    const comment = lineThatCalls(method);
    if (comment === null) return call.apply(this, given);
    const all = Array.from({ length: Math.max(given.length, optionsAt + 1) }, (_, index) => given[index]);
    all[optionsAt] = { ...options, comment };
    return call.apply(this, all);
  };
  return method;
}

/** Null if it is not installed there. */
function resolved(name: string, from: string): string | null {
  try {
    return createRequire(from).resolve(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    return null;
  }
}

const here = join(process.cwd(), 'package.json');
const mongoose = resolved('mongoose', here);
const drivers = [resolved('mongodb', here), mongoose === null ? null : resolved('mongodb', mongoose)];
const installed = new Set(drivers.filter((driver) => driver !== null));
if (installed.size === 0)
  throw new Error('mongolint/anchor finds neither mongodb nor mongoose from the working directory.');
for (const driver of installed) {
  const { Collection } = createRequire(driver)(driver) as {
    readonly Collection: { readonly prototype: Record<string, Call> };
  };
  for (const [name, optionsAt] of Object.entries(OPTIONS_AT)) {
    const call = Collection.prototype[name];
    if (call !== undefined) Collection.prototype[name] = anchored(call, optionsAt);
  }
}
