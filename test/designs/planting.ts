import { ObjectId, type Db, type Document } from 'mongodb';
import { SeededRandom } from '../../src/demo/seeded-random.js';

const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_DOCUMENTS = 2_000;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const SYLLABLES = ['ka', 'lo', 'mi', 'ren', 'tas', 'vel', 'no', 'bri', 'dun', 'sha', 'por', 'eli'];

/** A database to plant a design in, with values that are the same each time. */
export class Planting {
  readonly random: SeededRandom;
  /** In ms: fixed, so that ages stay what they are. */
  readonly now = Date.UTC(2026, 9, 1);
  #identifiers = 0;

  constructor(
    readonly database: Db,
    name: string,
  ) {
    this.random = new SeededRandom([...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7));
  }

  times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }

  /** An ObjectId that was made so many ms ago. */
  id(age = this.random.below(400 * DAY)): ObjectId {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt32BE(Math.floor((this.now - age) / 1_000), 0);
    bytes.writeUIntBE(this.random.below(2 ** 32), 4, 5);
    bytes.writeUIntBE((this.#identifiers += 1), 9, 3);
    return new ObjectId(bytes);
  }

  date(age = this.random.below(400 * DAY)): Date {
    return new Date(this.now - age);
  }

  word(): string {
    return Array.from({ length: this.random.between(2, 4) }, () => this.random.choose(SYLLABLES)).join('');
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }

  /** A number with a heavy tail: most are near `least`, few are near `most`, and none lies on it as on a cap. */
  heavyTailed(least: number, most: number, exponent = 1): number {
    const number = Math.floor(least / (1 - this.random.next()) ** (1 / exponent));
    return number <= most ? number : this.heavyTailed(least, most, exponent);
  }

  /** As `heavyTailed`, cut off at `most`: what `$slice` makes of it. */
  capped(least: number, most: number, exponent = 1): number {
    return Math.min(most, Math.floor(least / (1 - this.random.next()) ** (1 / exponent)));
  }

  /** Inserts documents in batches that a small server takes easily. */
  async fill(collection: string, documents: Iterable<Document>): Promise<void> {
    let batch: Document[] = [];
    let bytes = 0;
    const flush = async () => {
      if (batch.length > 0) await this.database.collection(collection).insertMany(batch, { ordered: false });
      [batch, bytes] = [[], 0];
    };
    for (const document of documents) {
      batch.push(document);
      bytes += JSON.stringify(document).length;
      if (batch.length >= BATCH_DOCUMENTS || bytes >= BATCH_BYTES) await flush();
    }
    await flush();
  }
}
