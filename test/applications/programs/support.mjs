/** What the programs share: where the database is, values that are the same each time, and many users at once. */
export const uri = process.env.MONGODB_URI;
export const databaseName = new URL(uri).pathname.slice(1);

const SYLLABLES = ['ka', 'lo', 'mi', 'ren', 'tas', 'vel', 'no', 'bri', 'dun', 'sha', 'por', 'eli'];
let state = 20_261_122;

/** From 0 to below 1. */
export function random() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

export const below = (limit) => Math.floor(random() * limit);
export const between = (least, most) => least + below(most - least + 1);
export const choose = (values) => values[below(values.length)];
export const word = () => Array.from({ length: between(2, 4) }, () => choose(SYLLABLES)).join('');
export const words = (count) => Array.from({ length: count }, word).join(' ');
export const hex = (characters) => Array.from({ length: characters }, () => below(16).toString(16)).join('');

/** What `make` returns for each number from 0. */
export const some = (count, make) => Array.from({ length: count }, (_, number) => make(number));

/** A number from 0 to below `count`, the first by far the most often. */
export const skewed = (count) => Math.floor(count * random() ** 4);

/** Most are near `least`, few near `most`. */
export function heavyTailed(least, most, exponent = 1) {
  const number = Math.floor(least / (1 - random()) ** (1 / exponent));
  return number <= most ? number : heavyTailed(least, most, exponent);
}

/** Runs the task for each number from 0, sixteen at a time. */
export async function times(count, task, width = 16) {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      await task(number);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** The digits of an ObjectId that was made at a time, in ms. */
export const idAt = (time) =>
  Math.floor(time / 1_000)
    .toString(16)
    .padStart(8, '0') + hex(16);

/** Inserts what `make` returns for each number from 0, and returns it. */
export async function insertEach(collection, count, make, batch = 1_000) {
  const all = [];
  for (let from = 0; from < count; from += batch) {
    const documents = Array.from({ length: Math.min(batch, count - from) }, (_, number) => make(from + number));
    await collection.insertMany(documents);
    all.push(...documents);
  }
  return all;
}

/** Random digits and letters. */
export const token = (characters) => Array.from({ length: characters }, () => below(36).toString(36)).join('');
