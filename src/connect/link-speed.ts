/** In ms: what one batch should take on the network. */
const BATCH_TIME = 1_000;
/** In ms; shorter times are not told apart. */
const SHORTEST_TIME = 1;
/** In bytes: what is asked for before any large answer was measured. At 20 KB/s it takes 2 s. */
const FIRST_BATCH = 32 * 1024;
/** An answer may be so many times larger than the largest one so far: small ones come in one piece on any link. */
const GROWTH = 16;
/** By one late answer, the link is taken to be at most so many times slower than before. */
const MOST_SLOWDOWN = 16;
/** In bytes: a link that takes them within the time of a batch is not slow. */
const LARGEST_BATCH = 4 * 1024 * 1024;

/**
 * How fast answers arrive, so that each batch is small enough for the link. The time that the server takes counts too: what
 * is measured is the least that the link can do.
 */
export class LinkSpeed {
  #roundTrip = Infinity;
  #largestAnswer = 0;
  /** Bytes per ms. */
  #speed = Infinity;

  /** @param elapsed ms from asking to the whole answer */
  observe(bytes: number, elapsed: number): void {
    const onTheWay = this.#roundTrip === Infinity ? elapsed : elapsed - this.#roundTrip;
    this.#roundTrip = Math.min(this.#roundTrip, elapsed);
    if (bytes === 0) return;
    this.#largestAnswer = Math.max(this.#largestAnswer, bytes);
    const speed = bytes / Math.max(SHORTEST_TIME, onTheWay);
    // A quick answer shows only that the link is no slower; a late one may be late because of the server.
    if (this.#speed === Infinity || speed > this.#speed) this.#speed = speed;
    else if (elapsed > BATCH_TIME) this.#speed = Math.max(speed, this.#speed / MOST_SLOWDOWN);
  }

  /** As many documents as wanted, or fewer if the link is too slow for them or its speed is not known yet. */
  documentsPerBatch<Wanted extends number | undefined>(wanted: Wanted, documentBytes: number): Wanted | number {
    const bytes = Math.min(this.#speed * BATCH_TIME, Math.max(FIRST_BATCH, GROWTH * this.#largestAnswer));
    if (bytes >= LARGEST_BATCH) return wanted;
    return Math.min(wanted ?? Infinity, Math.max(1, Math.floor(bytes / documentBytes)));
  }
}
