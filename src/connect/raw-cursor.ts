import type { CommandBounds, Deadline } from './deadline.js';
import type { Recovery } from './recovery.js';

export interface RawCursor {
  hasNext(): Promise<boolean>;
  /** The buffers are views on the batch. */
  readBufferedDocuments(): Uint8Array[];
  close(): Promise<void>;
}

/** The batches of a cursor, which is closed after the last one that is asked for. @throws the server's or driver's error */
export async function* batchesOf(cursor: RawCursor): AsyncGenerator<Uint8Array[]> {
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
  } finally {
    await cursor.close();
  }
}

const LONGEST_CLOSING = 1_000;

/** Documents, as by default, and bytes of one whose mean is not known yet. */
const FIRST_BATCH = 101;

const GUESSED_DOCUMENT_BYTES = 1_024;

export interface BatchBounds extends CommandBounds {
  /** Documents; fewer on a slow link. */
  readonly batchSize?: number;
  readonly documentBytes?: number;
}

/** A cursor of which each batch, and the closing, is waited for only so long. */
export class BoundedCursor implements RawCursor {
  readonly #open: () => RawCursor;
  #abandoned = new AbortController();
  #cursor: RawCursor;
  #generation: number;
  #waited = 0;
  #hasRead = false;

  constructor(
    private readonly deadline: Deadline,
    private readonly link: LinkSpeed,
    private readonly recovery: Recovery,
    private readonly bounds: BatchBounds,
    open: (batchSize: { readonly batchSize?: number }, abandoned: AbortSignal) => RawCursor,
  ) {
    const { batchSize, documentBytes = GUESSED_DOCUMENT_BYTES } = bounds;
    const first = link.documentsPerBatch(batchSize ?? FIRST_BATCH, documentBytes);
    const isDefault = batchSize === undefined && first === FIRST_BATCH;
    this.#open = () => open(isDefault ? {} : { batchSize: first }, this.#abandoned.signal);
    this.#cursor = this.#open();
    this.#generation = recovery.generation;
  }

  async hasNext(): Promise<boolean> {
    if (this.#hasRead) return this.recovery.checked(this.#generation, () => this.#ask());
    let times = 0;
    return this.recovery.asked(() => {
      times += 1;
      if (times > 1 || this.#generation !== this.recovery.generation) this.#reopen();
      return this.#ask();
    });
  }

  #reopen(): void {
    this.#abandoned = new AbortController();
    this.#cursor = this.#open();
    this.#generation = this.recovery.generation;
  }

  async #ask(): Promise<boolean> {
    const asked = performance.now();
    const hasNext = await this.deadline.within(this.bounds, this.#abandoned, () => this.#cursor.hasNext());
    this.#waited = performance.now() - asked;
    return hasNext;
  }

  readBufferedDocuments(): Uint8Array[] {
    const documents = this.#cursor.readBufferedDocuments();
    this.#hasRead ||= documents.length > 0;
    const bytes = documents.reduce((sum, { length }) => sum + length, 0);
    this.link.observe(bytes, this.#waited);
    if (documents.length > 0) this.#setBatchSize(bytes / documents.length);
    return documents;
  }

  /** For the batches that follow, which the driver's public methods can't change. */
  #setBatchSize(documentBytes: number): void {
    const { cursorOptions } = this.#cursor as { cursorOptions?: { batchSize?: number | undefined } };
    if (cursorOptions === undefined) return;
    cursorOptions.batchSize = this.link.documentsPerBatch(this.bounds.batchSize, documentBytes);
  }

  async close(): Promise<void> {
    // The driver closes an abandoned cursor, which nobody waits for.
    if (this.#abandoned.signal.aborted) return;
    const closing = this.#cursor.close().catch(() => {});
    if (this.deadline.isOver) return;
    const bounds = { maxTimeMS: LONGEST_CLOSING, paced: false };
    await this.deadline.within(bounds, this.#abandoned, () => closing).catch(() => {});
  }
}

/** In ms: what one batch should take on the network, and what can't be distinguished from less. */
const BATCH_TIME = 1_000;

const SHORTEST_TIME = 1;

/** In bytes; then so many times the largest answer: small ones come in one piece on any link. */
const FIRST_BYTES = 32 * 1024;

const GROWTH = 16;

const MOST_SLOWDOWN = 16;

/** In bytes: a link that takes them within the time of a batch is not slow. */
const LARGEST_BATCH = 4 * 1024 * 1024;

const MOST_AHEAD = 2;

/** How fast answers arrive. The server's own time counts too: what is measured is the least that the link can do. */
export class LinkSpeed {
  #roundTrip = Infinity;
  #largestAnswer = 0;
  #speed = Infinity;

  /** @param elapsed ms from asking to the whole answer; speed is in bytes per ms */
  observe(bytes: number, elapsed: number): void {
    const onTheWay = this.#roundTrip === Infinity ? elapsed : elapsed - this.#roundTrip;
    this.#roundTrip = Math.min(this.#roundTrip, elapsed);
    if (bytes === 0) return;
    this.#largestAnswer = Math.max(this.#largestAnswer, bytes);
    const speed = bytes / Math.max(SHORTEST_TIME, onTheWay);
    // A quick answer shows only that the link is no slower; a late one may be the server's doing.
    if (this.#speed === Infinity || speed > this.#speed) this.#speed = speed;
    else if (elapsed > BATCH_TIME) this.#speed = Math.max(speed, this.#speed / MOST_SLOWDOWN);
  }

  /** Fewer than wanted if the link is too slow, or not known yet. */
  documentsPerBatch<Wanted extends number | undefined>(wanted: Wanted, documentBytes: number): Wanted | number {
    const bytes = Math.min(this.#speed * BATCH_TIME, Math.max(FIRST_BYTES, GROWTH * this.#largestAnswer));
    if (bytes >= LARGEST_BATCH) return wanted;
    return Math.min(wanted ?? Infinity, Math.max(1, Math.floor(bytes / documentBytes)));
  }

  /** Batches of so many bytes that may be asked for before they are needed: none on a slow link, none larger than a batch. */
  batchesAhead(bytes: number): number {
    if (bytes > LARGEST_BATCH) return 0;
    return Math.min(MOST_AHEAD, Math.floor((this.#speed * BATCH_TIME) / LARGEST_BATCH));
  }
}
