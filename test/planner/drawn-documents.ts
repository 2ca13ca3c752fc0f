import { Decimal128, type Document, Long, ObjectId } from 'mongodb';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import type { PlannedCollection } from '../../src/planner/access.js';

/** Fields of the drawn documents, apart from `zz`, which none has. `arr` and `items` hold arrays. */
export const PATHS = ['a', 'b', 'c', 'n.x', 'n.y', 'arr', 'items.p', 'items.q'] as const;

export const OBJECT_IDS = [1, 2, 3].map((byte) => new ObjectId(byte.toString(16).padStart(24, '0')));
export const DATES = [0, 1, 2, 3].map((day) => new Date(Date.UTC(2024, 0, 1 + day)));

type Draw = (random: SeededRandom) => unknown;

const number: Draw = (random) => random.below(10);
const text: Draw = (random) => random.choose(['s0', 's1', 's2', 'S1', 'x']);
const anything: Draw = (random) =>
  random.choose<Draw>([
    number,
    number,
    text,
    () => null,
    () => undefined,
    () => random.chance(0.5),
    () => random.choose(DATES),
    () => random.choose(OBJECT_IDS),
    () => Long.fromNumber(random.below(5)),
    () => Decimal128.fromString(`${random.below(5)}.5`),
    () => random.below(8) / 2,
    () => ({ x: random.below(3) }),
  ])(random);

/** What one field holds, in all documents of a collection. */
const FIELDS: readonly Draw[] = [
  number,
  number,
  (random) => Math.floor(random.next() ** 4 * 10),
  text,
  (random) => random.choose(DATES),
  (random) => (random.chance(0.3) ? null : number(random)),
  (random) => (random.chance(0.3) ? undefined : number(random)),
  anything,
];

const arrayOf = (random: SeededRandom, element: Draw) =>
  Array.from({ length: random.below(4) }, () => element(random) ?? null);
const orArray =
  (value: Draw): Draw =>
  (random) =>
    random.chance(0.2) ? arrayOf(random, value) : value(random);
const nested: Draw = (random) => (random.chance(0.1) ? arrayOf(random, number) : number(random));

/** Documents of one collection: the seed decides what each field holds, and how it is spread. */
export function drawnDocuments(seed: number, count: number): Document[] {
  const random = new SeededRandom(seed);
  const draws = Array.from({ length: 7 }, () => random.choose(FIELDS));
  const plain = ['a', 'b', 'c'].map(
    (name, at) => [name, random.chance(0.2) ? orArray(draws[at]!) : draws[at]!] as const,
  );
  const [x, y, p, q] = draws.slice(3) as [Draw, Draw, Draw, Draw];
  const element = random.choose([number, number, text, anything, nested]);
  const isArray = random.chance(0.85);
  const item = (): Document => present({ p: p(random), q: q(random) });
  const items = () =>
    isArray ? (random.chance(0.05) ? item() : Array.from({ length: random.below(4) }, item)) : item();
  const parent = random.chance(0.1) ? () => random.choose([null, undefined, 5]) : () => undefined;
  return Array.from({ length: count }, (_, _id) => {
    const fields = plain.map(([name, draw]) => [name, draw(random)] as const);
    const n = (random.chance(0.1) ? parent() : undefined) ?? present({ x: x(random), y: y(random) });
    return present({ _id, ...Object.fromEntries(fields), n, arr: arrayOf(random, element), items: items() });
  });
}

function present(document: Document): Document {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined));
}

/** What the planner has to know of documents: a path that none has holds no arrays that are known. */
export function plannedCollection(documents: readonly Document[]): PlannedCollection {
  const known = new Map<string, boolean | undefined>();
  return {
    holdsArray(path) {
      if (!known.has(path)) {
        const values = documents.flatMap((document) => valuesAt(document, path.split('.')));
        known.set(path, values.length === 0 ? undefined : values.some(Array.isArray));
      }
      return known.get(path);
    },
  };
}

/** All values at a dotted path, as queries find them. */
export function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [value];
  if (Array.isArray(value)) {
    const byPosition = /^\d+$/.test(name) && Number(name) < value.length ? valuesAt(value[Number(name)], rest) : [];
    const elements = value.filter((element) => !Array.isArray(element));
    return [...byPosition, ...elements.flatMap((element) => valuesAt(element, [name, ...rest]))];
  }
  const isDocument = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isDocument && Object.hasOwn(value, name) ? valuesAt((value as Document)[name], rest) : [];
}
