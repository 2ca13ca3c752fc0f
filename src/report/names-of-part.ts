import { createHash } from 'node:crypto';
import type { RunPart } from './run-part.js';

const DIGITS = 12;

/**
 * The names that a part is for. Parts differ by one name at most. Every run that knows the same names shares them out alike,
 * in whatever order it has them, and one name more or less moves few others.
 */
export function namesOfPart(names: readonly string[], part: RunPart): ReadonlySet<string> {
  const parts = Array.from({ length: part.of }, (_, index) => ({
    number: index + 1,
    room: Math.floor(names.length / part.of) + (index < names.length % part.of ? 1 : 0),
  }));
  const own = new Set<string>();
  for (const name of inOrderOf(names, (each) => hashOf(each))) {
    // Rendezvous hashing: each name has an order of the parts of its own, and takes the first that has room.
    const taken = inOrderOf(
      parts.filter(({ room }) => room > 0),
      ({ number }) => hashOf(`${number}/${name}`),
    )[0];
    if (taken === undefined) throw new Error('The parts have no room left.');
    taken.room -= 1;
    if (taken.number === part.number) own.add(name);
  }
  return own;
}

/**
 * True if a name belongs to the part whatever other names there are: runs that list a little earlier or later leave none out
 * and take none twice. Parts are as even as chance makes them.
 */
export function isInPart(name: string, { number, of }: RunPart): boolean {
  return hashOf(name) % of === number - 1;
}

function hashOf(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, DIGITS), 16);
}

function inOrderOf<Item>(items: readonly Item[], rank: (item: Item) => number): Item[] {
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}
