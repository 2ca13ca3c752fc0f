import type { Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/**
 * The part of MongoDB's wire protocol that what stands between a client and a server needs: OP_MSG, and the legacy OP_QUERY
 * that drivers open with. Source: MongoDB manual, "MongoDB Wire Protocol".
 */
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

export const HEADER_BYTES = 16;
/** Of a message, where it says to which other it is the answer. */
const RESPONSE_TO_OFFSET = 8;
const OP_MSG_BODY_SECTION = 0;
const OP_MSG_CHECKSUM_FLAG = 1;
const OP_MSG_MORE_TO_COME_FLAG = 2;
/** Flags, cursor id, starting position and number of documents. */
const OP_REPLY_PREFIX_BYTES = 20;

/** Types are kept as they came, so that a document that passes through the router does not change. */
const EXACT: BSON.DeserializeOptions = { promoteValues: false, bsonRegExp: true };

/** One request of a client. */
export interface Request {
  readonly id: number;
  /** The command, its document sequences put back into it as arrays. */
  readonly command: Document;
  /** True for the legacy OP_QUERY, which is answered by OP_REPLY. */
  readonly legacy: boolean;
  /** False where the client wants no answer. */
  readonly wantsReply: boolean;
}

/** Reads whole messages from a socket and hands each over. */
export function onMessages(socket: Socket, receive: (message: Buffer) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => {
    pending = pending.length === 0 ? data : Buffer.concat([pending, data]);
    while (pending.length >= HEADER_BYTES && pending.length >= pending.readInt32LE(0)) {
      const length = pending.readInt32LE(0);
      receive(pending.subarray(0, length));
      pending = pending.subarray(length);
    }
  });
}

/**
 * Reads a client's message.
 *
 * @throws Error for any other operation than OP_MSG and OP_QUERY.
 */
export function readRequest(message: Buffer): Request {
  const id = message.readInt32LE(4);
  const operation = message.readInt32LE(12);
  if (operation === OP_MSG) {
    return {
      id,
      command: readSections(message),
      legacy: false,
      wantsReply: (message.readUInt32LE(16) & OP_MSG_MORE_TO_COME_FLAG) === 0,
    };
  }
  if (operation !== OP_QUERY) throw new Error(`Operation ${operation} is not understood here.`);
  const name = message.indexOf(0, HEADER_BYTES + 4);
  return { id, command: deserialize(message.subarray(name + 1 + 8)), legacy: true, wantsReply: true };
}

/** The document in a server's reply, in either form. */
export function readReply(message: Buffer): Document {
  if (message.readInt32LE(12) === OP_MSG) return readSections(message);
  return deserialize(message.subarray(HEADER_BYTES + OP_REPLY_PREFIX_BYTES));
}

/** The ids of a server's message: its own, that of the message it answers, and whether more answers follow unasked. */
export function readReplyIds(message: Buffer): { id: number; responseTo: number; moreToCome: boolean } {
  const moreToCome =
    message.readInt32LE(12) === OP_MSG && (message.readUInt32LE(HEADER_BYTES) & OP_MSG_MORE_TO_COME_FLAG) !== 0;
  return { id: message.readInt32LE(4), responseTo: message.readInt32LE(RESPONSE_TO_OFFSET), moreToCome };
}

/** Where the document of a reply begins in the message. */
export function replyDocumentOffset(message: Buffer): number {
  return HEADER_BYTES + (message.readInt32LE(12) === OP_MSG ? 4 + 1 : OP_REPLY_PREFIX_BYTES);
}

/** Writes an OP_MSG request. */
export function writeRequest(id: number, command: Document): Buffer {
  return writeMessage(id, 0, command);
}

/** Writes the answer to a request, in the form that the request asks for. */
export function writeReply({ id, legacy }: Request, answer: Document): Buffer {
  if (!legacy) return writeMessage(id, id, answer);
  const body = serialize(answer);
  const message = Buffer.alloc(HEADER_BYTES + OP_REPLY_PREFIX_BYTES + body.length);
  writeHeader(message, id, id, OP_REPLY);
  message.writeInt32LE(1, HEADER_BYTES + OP_REPLY_PREFIX_BYTES - 4);
  body.copy(message, HEADER_BYTES + OP_REPLY_PREFIX_BYTES);
  return message;
}

function writeMessage(id: number, responseTo: number, document: Document): Buffer {
  const body = serialize(document);
  const message = Buffer.alloc(HEADER_BYTES + 4 + 1 + body.length);
  writeHeader(message, id, responseTo, OP_MSG);
  message.writeUInt8(OP_MSG_BODY_SECTION, HEADER_BYTES + 4);
  body.copy(message, HEADER_BYTES + 5);
  return message;
}

function writeHeader(message: Buffer, id: number, responseTo: number, operation: number): void {
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(id, 4);
  message.writeInt32LE(responseTo, 8);
  message.writeInt32LE(operation, 12);
}

function readSections(message: Buffer): Document {
  const flags = message.readUInt32LE(HEADER_BYTES);
  const end = message.length - ((flags & OP_MSG_CHECKSUM_FLAG) === 0 ? 0 : 4);
  const command: Document = {};
  let offset = HEADER_BYTES + 4;
  while (offset < end) {
    const kind = message.readUInt8(offset);
    const length = message.readInt32LE(offset + 1);
    const section = message.subarray(offset + 1, offset + 1 + length);
    if (kind === OP_MSG_BODY_SECTION) Object.assign(command, deserialize(section));
    else Object.assign(command, readSequence(section));
    offset += 1 + length;
  }
  return command;
}

/** A document sequence: `insert`'s `documents` and their like, sent beside the command. */
function readSequence(section: Buffer): Document {
  const nameEnd = section.indexOf(0, 4);
  const documents: Document[] = [];
  let offset = nameEnd + 1;
  while (offset < section.length) {
    const length = section.readInt32LE(offset);
    documents.push(deserialize(section.subarray(offset, offset + length)));
    offset += length;
  }
  return { [section.toString('utf8', 4, nameEnd)]: documents };
}

function deserialize(bytes: Buffer): Document {
  return BSON.deserialize(bytes.subarray(0, bytes.readInt32LE(0)), EXACT);
}

function serialize(document: Document): Buffer {
  return Buffer.from(BSON.serialize(document, { ignoreUndefined: true }));
}
