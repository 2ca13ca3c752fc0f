import { FieldName, NO_NAME } from './field-name.js';
import type { ObjectFields } from './object-fields.js';
import { PathNode, type PathStep } from './path-node.js';

/** Bounds on the memory that a profile takes, however the documents look. */
export interface ProfileLimits {
  /** Paths profiled. Values at further paths count only towards the objects and arrays that they lie in. */
  readonly maxPaths: number;
  /** Field names told apart in the objects at one path; further ones are profiled together. */
  readonly maxFieldsPerObject: number;
}

/** Roomier than any schema that people keep in their heads, and small: a path takes about 1 KB, one of arrays about 10 KB. */
export const DEFAULT_PROFILE_LIMITS: ProfileLimits = { maxPaths: 5000, maxFieldsPerObject: 1000 };

/**
 * Share of the paths open to each level of nesting; deeper levels share the last. So an object that explodes in depth
 * cannot crowd out the fields that come after it.
 */
const SHARE_OF_PATHS_BY_DEPTH = [1, 1, 0.9, 0.9];
const SHARE_OF_PATHS_BELOW = 0.8;

/** Names from which those of an object are judged while documents are still being read. */
const FEWEST_NAMES_TO_JUDGE = 16;

/** All paths seen, within the limits. */
export class PathTree {
  readonly root = new PathNode(null, 'field', NO_NAME, 0);
  readonly rootFields = this.root.openObject();
  paths = 0;
  /** Objects with so many new names in this document that their names are to be judged. */
  readonly toJudge: ObjectFields[] = [];
  /** Values left out since the paths were last thinned, because they lie at a path beyond the limit. */
  refusedSinceThinning = 0;
  /** Values left out because they lie at a path beyond the limit, and their bytes. */
  refusedValues = 0;
  refusedBytes = 0;

  constructor(readonly limits: ProfileLimits) {}

  /**
   * The path for a field name that its object does not know: a new one, the one for names that are data, or null where
   * the limit leaves no room.
   *
   * @param start where the name begins
   * @param end the position after its terminator
   */
  unknownField(object: ObjectFields, bytes: Uint8Array, start: number, end: number, hash: number): PathNode | null {
    if (object.namesAreData || object.named.length >= this.limits.maxFieldsPerObject) {
      object.openRestNames().add(hash);
      this.judgeLater(object);
      return (object.rest ??= this.newNode(object.node, 'any-field', NO_NAME, object.counts.count));
    }
    const name = new FieldName(bytes.slice(start, end), hash);
    const field = this.newNode(object.node, 'field', name, object.counts.count);
    if (field === null) return null;
    object.addNamed(field);
    this.judgeLater(object);
    return field;
  }

  /** A path for names that are data. Has room always, as it takes the place of others. */
  newRest(object: ObjectFields): PathNode {
    this.paths += 1;
    return new PathNode(object.node, 'any-field', NO_NAME, object.counts.count);
  }

  /** The path of an array's elements, or null where the limit leaves no room. */
  elementOf(array: PathNode): PathNode | null {
    return (array.element ??= this.newNode(array, 'element', NO_NAME, 0));
  }

  /** Takes note of a value that was left out. */
  refuse(bytes: number): void {
    this.refusedSinceThinning += 1;
    this.refusedValues += 1;
    this.refusedBytes += bytes;
  }

  private judgeLater(object: ObjectFields): void {
    if (object.named.length < FEWEST_NAMES_TO_JUDGE || object.counts.count < object.judgeAt) return;
    object.judgeAt = 2 * object.counts.count;
    this.toJudge.push(object);
  }

  private newNode(parent: PathNode, step: PathStep, name: FieldName, objectsBefore: number): PathNode | null {
    const share = SHARE_OF_PATHS_BY_DEPTH[parent.depth + 1] ?? SHARE_OF_PATHS_BELOW;
    if (this.paths >= this.limits.maxPaths * share) return null;
    this.paths += 1;
    return new PathNode(parent, step, name, objectsBefore);
  }
}
