import type { OnReadOpts, Socket } from 'node:net';

/** Of the wire protocol: a message begins with its length, in a header of so many bytes. */
const LENGTH_BYTES = 4;
const HEADER_BYTES = 16;
/** In bytes, `maxMessageSizeBytes` of all servers: https://www.mongodb.com/docs/manual/reference/command/hello/ */
const LONGEST_MESSAGE = 48_000_000;
/** In bytes. Four times as much as Node reads at once by itself; 1 MB gains nothing. */
const READ_AT_ONCE = 256 * 1024;
/** In bytes. For less, a read of its own takes as long as a copy. */
const LEAST_IN_PLACE = 64 * 1024;

/** The event of a socket with {@link readingAtOnce}, instead of `data`: its bytes hold until the listeners return. */
export const RECEIVED = 'received';

/** Is told where a socket puts what it receives next; null: in its own buffer. */
export type ReadNextInto = (place: Uint8Array | null) => void;

/** Options of a socket that reads into one buffer. Otherwise, Node makes one for each 64 KB, which pass through two streams. */
export function readingAtOnce(): { onread: OnReadOpts } {
  const own = Buffer.allocUnsafeSlow(READ_AT_ONCE);
  let next: Uint8Array = own;
  const readNextInto: ReadNextInto = (place) => (next = place ?? own);
  return {
    onread: {
      buffer: () => next,
      callback(this: Socket, bytes: number, buffer: Uint8Array): boolean {
        this.emit(RECEIVED, buffer.subarray(0, bytes), readNextInto);
        return true;
      },
    },
  };
}

/** Messages of the wire protocol, put together from what a socket receives: copied once, or received in their place. */
export class ReceivedMessages {
  private readonly length = Buffer.alloc(LENGTH_BYTES);
  private message: Buffer | null = null;
  private filled = 0;

  /** @param take is given each message, in the order of their bytes */
  constructor(private readonly take: (message: Buffer) => void) {}

  /** For the rest of a long message, or null between messages. What is received there is to be added as it is. */
  get place(): Uint8Array | null {
    const { message, filled } = this;
    return message !== null && message.length - filled >= LEAST_IN_PLACE ? message.subarray(filled) : null;
  }

  /** @throws RangeError if a message is shorter or longer than any server's: what follows can't be understood */
  add(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      const into = this.message ?? this.length;
      const part = Math.min(into.length - this.filled, bytes.length - at);
      if (!this.isInPlace(bytes)) into.set(bytes.subarray(at, at + part), this.filled);
      this.filled += part;
      at += part;
      if (this.filled < into.length) return;
      if (this.message === null) {
        this.message = this.begun();
      } else {
        const { message } = this;
        this.message = null;
        this.filled = 0;
        this.take(message);
      }
    }
  }

  private isInPlace({ buffer, byteOffset }: Uint8Array): boolean {
    const { message, filled } = this;
    return message !== null && buffer === message.buffer && byteOffset === message.byteOffset + filled;
  }

  private begun(): Buffer {
    const length = this.length.readInt32LE();
    if (length < HEADER_BYTES || length > LONGEST_MESSAGE)
      throw new RangeError(`The server began a message of ${length} bytes.`);
    const message = Buffer.allocUnsafe(length);
    message.set(this.length);
    return message;
  }
}
