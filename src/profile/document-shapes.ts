import { quantileSorted, sum, wilcoxonRankSum } from 'simple-statistics';
import { MS_PER_SECOND } from '../time-units.js';
import { ARRAY, NULL, OBJECT, OBJECT_ID, UNDEFINED, valueEnd } from './bson-types.js';
import { SHAPE_STRUCTURES, type DocumentShapes } from './document-profile.js';
import type { PathFields, PathNode } from './path-node.js';
import { pathOf } from './path-profiles.js';
import { hashOf } from './value-tally.js';

/** Compared at once; of more, between half as many and so many are. Judgement: as many as a sample has by default. */
export const MOST_DOCUMENTS = 1_000;
/** Judgement: of fewer, a shape of a twentieth is one or two documents. */
export const FEWEST_DOCUMENTS = 50;
/** Judgement: documents with more fields have no schema that somebody wrote down. */
const MOST_FIELDS = 100;
/** Judgement: who changes a schema more often numbers its versions; more shapes are kinds of things. */
const MOST_SHAPES = 5;
/** Share of the documents that a field must have, and must lack, to tell shapes apart. Judgement: rarer ones are mistakes. */
export const LEAST_SHARE = 0.02;
/**
 * Share of all documents that the shapes cover together, of a shape's documents that have each of its fields, and of those
 * whose age is known. Judgement: one in twenty may be damaged or half migrated; more are a shape that is not understood.
 */
const NEARLY_ALL = 0.95;
/** Values of a field that says which shape a document has: kinds or versions. Judgement: a code branches on no more. */
const MOST_KINDS = 16;
/** Share of the documents whose shape such a field says. Judgement: code that goes by it fails at the rest, so these are mistakes. */
const EXPLAINED = 0.98;
/** Fields whose absence is the first version. `__v` counts writes to arrays: Mongoose's, and no version of a schema. */
const VERSION = /^_?(?:(?:schema|doc(?:ument)?|data|model|format)_?)?v(?:er(?:sion)?)?$|^_?schema$/i;
const WRITE_COUNTER = '__v';

/** A top-level field in one structure, and the rows of the documents that have it so. */
interface Feature {
  readonly node: PathNode;
  readonly structure: number;
  readonly rows: ReadonlySet<number>;
}

/** The values of each document that is compared, by row. */
class Column {
  /** 0 for documents without the field; else the place among `SHAPE_STRUCTURES`, from 1. */
  readonly structures = new Uint8Array(MOST_DOCUMENTS);
  readonly hashes = new Int32Array(MOST_DOCUMENTS);
  /** Null once there are too many: such a field says nothing of shapes, and its values are not compared. */
  kinds: Set<number> | null = new Set();
}

/** Finds the shapes of documents by which top-level fields they have together. */
export class DocumentShapesObserver {
  private readonly columns = new Map<PathNode, Column>();
  private readonly times = new Float64Array(MOST_DOCUMENTS);
  private rows = 0;
  private seen = 0;
  /** One in so many of the documents seen is compared. */
  private stride = 1;
  private isWide = false;

  /** @param serial of the document that was just walked, as its fields have it */
  observe({ named }: PathFields, serial: number, bytes: Uint8Array, view: DataView): void {
    const isCompared = !this.isWide && this.seen % this.stride === 0;
    this.seen += 1;
    if (!isCompared) return;
    this.isWide = named.length > MOST_FIELDS;
    if (this.rows === MOST_DOCUMENTS) this.thin();
    const row = this.rows;
    this.rows += 1;
    this.times[row] = NaN;
    for (const node of named) {
      const { lastType: type, lastAt: at } = node;
      if (node.lastHolder !== serial || type === NULL || type === UNDEFINED) continue;
      let column = this.columns.get(node);
      if (column === undefined) this.columns.set(node, (column = new Column()));
      column.structures[row] = type === OBJECT ? 2 : type === ARRAY ? 3 : 1;
      if (type === OBJECT || type === ARRAY) continue;
      const { kinds } = column;
      if (kinds !== null) {
        const hash = hashOf(bytes, type, at, valueEnd(view, bytes, type, at));
        column.hashes[row] = hash;
        kinds.add(hash);
        if (kinds.size > MOST_KINDS) column.kinds = null;
      }
      if (type === OBJECT_ID && node.name.toString() === '_id')
        this.times[row] = view.getUint32(at, false) * MS_PER_SECOND;
    }
  }

  /** Null unless there are shapes that exclude each other. */
  shapes({ named }: PathFields): DocumentShapes | null {
    if (this.isWide || this.rows < FEWEST_DOCUMENTS) return null;
    const columns = named.flatMap((node): [PathNode, Column][] => {
      const column = this.columns.get(node);
      return column === undefined ? [] : [[node, column]];
    });
    const features = this.features(columns);
    const chosen = excludingEachOther(features);
    const covered = sum(chosen.map(({ rows }) => rows.size));
    if (chosen.length < 2 || chosen.length > MOST_SHAPES || covered < NEARLY_ALL * this.rows) return null;
    const shapes = chosen.map((feature) => ({ feature, times: this.timesOf(feature) }));
    const areDated = shapes.every(({ feature, times }) => times.length >= NEARLY_ALL * feature.rows.size);
    if (areDated) shapes.sort((one, other) => quantileSorted(one.times, 0.5) - quantileSorted(other.times, 0.5));
    const follows = shapes.slice(1).map(({ times }, at) => chanceOfNewer(shapes[at]?.times ?? [], times));
    const ordered = shapes.map(({ feature }) => feature);
    return {
      documents: this.rows,
      shapes: shapes.map(({ feature, times }) => ({
        fields: ownFields(feature, ordered, features).map(({ node, structure }) => ({
          path: pathOf(node),
          structure: SHAPE_STRUCTURES[structure - 1] ?? 'value',
        })),
        documents: feature.rows.size,
        created: areDated
          ? [quantileSorted(times, 0.05), quantileSorted(times, 0.5), quantileSorted(times, 0.95)]
          : null,
      })),
      follows: areDated ? Math.min(...follows) : null,
      dividedBy: dividingField(columns, ordered),
    };
  }

  private features(columns: readonly (readonly [PathNode, Column])[]): Feature[] {
    const least = LEAST_SHARE * this.rows;
    return columns.flatMap(([node, { structures }]) => {
      const counts = [0, 0, 0, 0];
      for (let row = 0; row < this.rows; row += 1) {
        const structure = structures[row] as number;
        counts[structure] = (counts[structure] as number) + 1;
      }
      return counts.flatMap((count, structure): Feature[] => {
        if (structure === 0 || count < least || count > this.rows - least) return [];
        const rows = new Set<number>();
        for (let row = 0; row < this.rows; row += 1) if (structures[row] === structure) rows.add(row);
        return [{ node, structure, rows }];
      });
    });
  }

  private timesOf({ rows }: Feature): number[] {
    return [...rows]
      .map((row) => this.times[row] as number)
      .filter((time) => !Number.isNaN(time))
      .toSorted((one, other) => one - other);
  }

  private thin(): void {
    this.rows = MOST_DOCUMENTS / 2;
    this.stride *= 2;
    for (let row = 0; row < this.rows; row += 1) this.times[row] = this.times[2 * row] as number;
    for (const { structures, hashes } of this.columns.values()) {
      for (let row = 0; row < this.rows; row += 1) {
        structures[row] = structures[2 * row] as number;
        hashes[row] = hashes[2 * row] as number;
      }
      structures.fill(0, this.rows);
    }
  }
}

/** The features that cover most documents among those that no document has together. */
function excludingEachOther(features: readonly Feature[]): readonly Feature[] {
  const bySize = features.toSorted((one, other) => other.rows.size - one.rows.size);
  const rivals = new Map(bySize.map((one) => [one, new Set(bySize.filter((other) => inCommon(one, other) === 0))]));
  let [most, best]: [number, readonly Feature[]] = [0, []];
  for (const [first, others] of rivals) {
    const chosen = [first];
    for (const other of others) if (chosen.every((each) => rivals.get(each)?.has(other) === true)) chosen.push(other);
    const covered = sum(chosen.map(({ rows }) => rows.size));
    if (chosen.length > 1 && covered > most) [most, best] = [covered, chosen];
  }
  return best;
}

/** The features that all documents of a shape have, and none of another. */
function ownFields(shape: Feature, shapes: readonly Feature[], features: readonly Feature[]): Feature[] {
  return features.filter(
    (feature) =>
      shapes.every((other) => other === shape || inCommon(feature, other) === 0) &&
      inCommon(feature, shape) >= NEARLY_ALL * shape.rows.size,
  );
}

function inCommon(one: Feature, other: Feature): number {
  let count = 0;
  for (const row of one.rows) if (other.rows.has(row)) count += 1;
  return count;
}

/** Takes sorted times. Source: Mann and Whitney, 1947. */
function chanceOfNewer(older: number[], newer: number[]): number {
  if (older.length === 0 || newer.length === 0) return NaN;
  const leastRanks = (newer.length * (newer.length + 1)) / 2;
  return (wilcoxonRankSum(newer, older) - leastRanks) / (older.length * newer.length);
}

function dividingField(columns: readonly (readonly [PathNode, Column])[], shapes: readonly Feature[]): string | null {
  const covered = sum(shapes.map(({ rows }) => rows.size));
  for (const [node, { structures, hashes, kinds }] of columns) {
    const name = node.name.toString();
    if (kinds === null || name === WRITE_COUNTER) continue;
    let absent = 0;
    const counts = new Map<number | null, number[]>();
    shapes.forEach(({ rows }, shape) => {
      for (const row of rows) {
        const isHere = structures[row] === 1;
        if (!isHere) absent += 1;
        const value = isHere ? (hashes[row] as number) : null;
        const byShape = counts.get(value) ?? shapes.map(() => 0);
        byShape[shape] = (byShape[shape] as number) + 1;
        counts.set(value, byShape);
      }
    });
    const explained = sum([...counts.values()].map((byShape) => Math.max(...byShape)));
    const mayBeAbsent = VERSION.test(name) || absent <= (1 - EXPLAINED) * covered;
    if (mayBeAbsent && counts.size > 1 && explained >= EXPLAINED * covered) return pathOf(node);
  }
  return null;
}
