/** In ms: what one batch should take on the network, and what can't be distinguished from less. */
const BATCH_TIME = 1_000;
const SHORTEST_TIME = 1;
/** In bytes; then so many times the largest answer: small ones come in one piece on any link. */
const FIRST_BATCH = 32 * 1024;
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
    const bytes = Math.min(this.#speed * BATCH_TIME, Math.max(FIRST_BATCH, GROWTH * this.#largestAnswer));
    if (bytes >= LARGEST_BATCH) return wanted;
    return Math.min(wanted ?? Infinity, Math.max(1, Math.floor(bytes / documentBytes)));
  }

  /** Batches of so many bytes that may be asked for before they are needed: none on a slow link, none larger than a batch. */
  batchesAhead(bytes: number): number {
    if (bytes > LARGEST_BATCH) return 0;
    return Math.min(MOST_AHEAD, Math.floor((this.#speed * BATCH_TIME) / LARGEST_BATCH));
  }
}
