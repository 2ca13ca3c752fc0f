import { FieldName, NO_NAME } from './field-name.js';
import { CROWDED_NAMES } from './field-names.js';
import { type PathFields, PathNode } from './path-node.js';

/** Bounds on the memory that a profile takes, however the documents look. */
export interface ProfileLimits {
  readonly maxPaths: number;
  /** Field names told apart in the objects at one path; further ones are profiled together. */
  readonly maxFieldsPerObject: number;
}

/** Roomier than any schema that people remember, and small: a path takes about 1 KB, one of arrays about 10 KB. */
export const DEFAULT_PROFILE_LIMITS: ProfileLimits = { maxPaths: 5000, maxFieldsPerObject: 1000 };

// Below it, to the third level of nesting: an object that explodes can't crowd out the fields that come after it.
const SHARE_OF_ONE_PATH = 0.6;
const SHARED_LEVELS = 3;

const FEWEST_NAMES_TO_JUDGE = 16;

export class PathTree {
  readonly root = new PathNode(null, 'field', NO_NAME, 0);
  readonly rootFields = this.root.openObject();
  /** Objects with so many new names in this document that their names are to be judged. */
  readonly toJudge: PathFields[] = [];
  refusedSinceThinning = 0;
  refusedValues = 0;
  refusedBytes = 0;

  constructor(readonly limits: ProfileLimits) {}

  /** @returns null if the limit leaves no room */
  unknownField(object: PathFields, bytes: Uint8Array, start: number, end: number, hash: number): PathNode | null {
    const { named, counts, node } = object;
    const isFull = object.namesAreData || named.length >= this.limits.maxFieldsPerObject;
    const hasRoom = !isFull && this.hasRoomBelow(node);
    if (hasRoom || isFull || named.length >= CROWDED_NAMES) this.judgeLater(object);
    if (hasRoom) {
      const field = this.added(new PathNode(node, 'field', new FieldName(bytes.slice(start, end), hash), counts.count));
      object.addNamed(field);
      return field;
    }
    if (!isFull && named.length < CROWDED_NAMES) return null;
    object.overflows = true;
    object.openRestNames().add(hash);
    return this.restOf(object);
  }

  restOf(object: PathFields): PathNode {
    return (object.rest ??= this.added(new PathNode(object.node, 'any-field', NO_NAME, object.counts.count)));
  }

  elementOf(array: PathNode): PathNode | null {
    if (array.element === null && this.hasRoomBelow(array))
      array.element = this.added(new PathNode(array, 'element', NO_NAME, 0));
    return array.element;
  }

  refuse(bytes: number): void {
    this.refusedSinceThinning += 1;
    this.refusedValues += 1;
    this.refusedBytes += bytes;
  }

  private judgeLater(object: PathFields): void {
    if (object.named.length < FEWEST_NAMES_TO_JUDGE || object.counts.count < object.judgeAt) return;
    object.judgeAt = 2 * object.counts.count;
    this.toJudge.push(object);
  }

  private hasRoomBelow(parent: PathNode): boolean {
    let ancestor: PathNode | null = parent;
    while (ancestor !== null && ancestor.depth > SHARED_LEVELS) ancestor = ancestor.parent;
    for (; ancestor !== null; ancestor = ancestor.parent) {
      if (ancestor.pathsBelow >= this.mostPathsBelow(ancestor)) return false;
    }
    return true;
  }

  private mostPathsBelow(node: PathNode): number {
    if (node.parent === null) return this.limits.maxPaths;
    const takenBySiblings = node.parent.pathsBelow - node.pathsBelow;
    return (this.mostPathsBelow(node.parent) - takenBySiblings) * SHARE_OF_ONE_PATH;
  }

  private added(node: PathNode): PathNode {
    for (let ancestor = node.parent; ancestor !== null; ancestor = ancestor.parent) ancestor.pathsBelow += 1;
    return node;
  }
}
