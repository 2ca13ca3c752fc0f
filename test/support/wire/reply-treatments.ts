import { setTimeout as delay } from 'node:timers/promises';
import { Long, type Document } from 'mongodb';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import type { ReplyTreatment } from './wire-fault.js';
import { HEADER_BYTES, readReply, replyDocumentOffset, writeReply } from './wire-message.js';

/** A length field that lies. The header's 16 bytes are the least that a message has, 48,000,000 the most. */
export type WrongLength = 'zero' | 'negative' | 'too short' | 'too long' | 'huge';

/** Breaks the connection after so many bytes of the reply. */
export function cutAfter(bytes: number): ReplyTreatment {
  return async ({ reply, client }) => {
    await client.send(reply.subarray(0, bytes));
    await client.end();
  };
}

/** Random bytes in place of the whole reply. */
export function garbage(seed = 1): ReplyTreatment {
  return ({ reply, client }) => client.send(randomBytes(reply.length, seed));
}

/** A header that is right, and random bytes behind it. */
export function garbageBody(seed = 1): ReplyTreatment {
  return ({ reply, client }) => {
    const body = randomBytes(reply.length - HEADER_BYTES, seed);
    return client.send(Buffer.concat([reply.subarray(0, HEADER_BYTES), body]));
  };
}

/** The length of the message, in its header, is wrong. */
export function wrongMessageLength(wrong: WrongLength): ReplyTreatment {
  return ({ reply, client }) => client.send(withLengthAt(reply, 0, wrong));
}

/** The length of the document in the message is wrong. Some such replies the driver reads without end. */
export function wrongDocumentLength(wrong: WrongLength): ReplyTreatment {
  return ({ reply, client }) => client.send(withLengthAt(reply, replyDocumentOffset(reply), wrong));
}

/** No reply, while the connection stays open. */
export function swallow(): ReplyTreatment {
  return () => undefined;
}

/** From this reply on, the connection carries so many bytes per second. */
export function trickle(bytesPerSecond: number): ReplyTreatment {
  return ({ reply, client }) => {
    client.bytesPerSecond = bytesPerSecond;
    return client.send(reply);
  };
}

/** The reply comes so many ms late. */
export function delayed(milliseconds: number): ReplyTreatment {
  return async ({ reply, client }) => {
    await delay(milliseconds);
    await client.send(reply);
  };
}

/** Another answer than the server's; it gets the answer with BSON's own types for numbers. */
export function rewritten(rewrite: (answer: Document, command: Document) => Document): ReplyTreatment {
  return ({ request, reply, client }) => client.send(writeReply(request, rewrite(readReply(reply), request.command)));
}

/** An error of the server in place of its answer. */
export function refused(code: number, codeName: string, errmsg = codeName): ReplyTreatment {
  return rewritten(() => ({ ok: 0, errmsg, code, codeName }));
}

/** Cursors that never end and never have a document. Use it on `getMore` too. */
export function emptyBatches(): ReplyTreatment {
  return rewritten((answer, command) => {
    const batch = command['getMore'] === undefined ? 'firstBatch' : 'nextBatch';
    const ns = answer['cursor']?.ns ?? `${command['$db']}.${command['collection'] ?? '$cmd'}`;
    return { cursor: { id: Long.fromNumber(77), ns, [batch]: [] }, ok: 1 };
  });
}

function withLengthAt(message: Buffer, offset: number, wrong: WrongLength): Buffer {
  const changed = Buffer.from(message);
  const right = message.readInt32LE(offset);
  const lengths = { zero: 0, negative: -1, 'too short': right - 7, 'too long': right + 7, huge: 0x7f_ff_ff_ff };
  changed.writeInt32LE(lengths[wrong], offset);
  return changed;
}

function randomBytes(length: number, seed: number): Buffer {
  const random = new SeededRandom(seed);
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}
