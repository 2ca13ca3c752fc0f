import { isDeepStrictEqual } from 'node:util';
import { OplogWrites } from '../../../src/growth/oplog-writes.js';
import { DocumentProfiler } from '../../../src/profile/document-profiler.js';
import { contentByDriver, contentByProfile, isRefusedByDecoder, profileAmong, surrounded } from './bson-agreement.js';
import { mutatedDocuments, oplogEntries } from './mutated-documents.js';

/** What is wrong with how a document was read, with the document as hexadecimal digits. */
export interface Disagreement {
  readonly document: string;
  readonly what: string;
}

export interface FuzzResult {
  readonly read: number;
  readonly refused: number;
  readonly disagreements: readonly Disagreement[];
}

/** Reading goes on after so many, to say whether it is one thing or many. */
const MOST_TOLD = 10;
const FILLERS = [0x00, 0x01, 0xff];

type Reading = 'read' | 'refused' | { readonly wrong: string };

/** Reads mutated documents as a run does, and as the driver does, and lists where they disagree. */
export function fuzzDocuments(count: number, seed: number): FuzzResult {
  // Its memory is bounded, whatever the names: it goes through all of them, as the profiler of a large sample does.
  const all = new DocumentProfiler();
  return fuzz(mutatedDocuments(count, seed), (bytes, filler, after) => {
    const before = all.documents;
    all.add(surrounded(bytes, filler, after));
    const isSound = all.documents > before;
    const refused = isRefusedByDecoder(bytes);
    if (refused === isSound) return { wrong: isSound ? 'the driver refuses it' : 'the driver reads it' };
    if (!isSound) return 'refused';
    const [ours, drivers] = [contentByProfile(profileAmong(bytes, filler, after)), contentByDriver(bytes)];
    return isDeepStrictEqual(ours, drivers) ? 'read' : { wrong: JSON.stringify({ ours, drivers }) };
  });
}

/** Reads mutated entries of an oplog. Those that the driver refuses count as unread, and none ends the reading. */
export function fuzzOplogEntries(count: number, seed: number): FuzzResult {
  const writes = new OplogWrites();
  return fuzz(mutatedDocuments(count, seed, oplogEntries(seed)), (bytes, filler, after) => {
    const before = writes.unread;
    writes.add(surrounded(bytes, filler, after));
    return writes.unread > before ? 'refused' : 'read';
  });
}

function fuzz(
  documents: Iterable<Uint8Array>,
  readOne: (bytes: Uint8Array, filler: number, after: number) => Reading,
): FuzzResult {
  const { stackTraceLimit } = Error;
  // The decoder's errors are many.
  Error.stackTraceLimit = 0;
  const disagreements: Disagreement[] = [];
  const counts = { read: 0, refused: 0 };
  let number = 0;
  for (const bytes of documents) {
    // At the very end of a buffer every other time: nothing may be read behind it.
    const reading = attempt(() =>
      readOne(bytes, FILLERS[number % FILLERS.length] as number, number % 2 === 0 ? 0 : 64),
    );
    if (typeof reading === 'string') counts[reading] += 1;
    else if (disagreements.length < MOST_TOLD)
      disagreements.push({ document: Buffer.from(bytes).toString('hex'), what: reading.wrong });
    number += 1;
  }
  Error.stackTraceLimit = stackTraceLimit;
  return { ...counts, disagreements };
}

function attempt(readOne: () => Reading): Reading {
  try {
    return readOne();
  } catch (error) {
    return { wrong: `thrown: ${String(error)}` };
  }
}
