import { ArrayStatistics } from './array-statistics.js';
import { TYPE_SLOTS } from './bson-types.js';
import type { FieldName } from './field-name.js';
import { ObjectFields } from './object-fields.js';
import { ValueObserver } from './value-facts.js';

/** Copied for each node: quicker than to make an array anew. */
const NO_TYPES: readonly number[] = Array.from({ length: TYPE_SLOTS }, () => 0);

/** How a path's last step reads: a field of its own, any of the fields whose names are data, or an array's elements. */
export type PathStep = 'field' | 'any-field' | 'element';

/** The fields of the objects at one path. */
export type PathFields = ObjectFields<PathNode>;

/** Everything that is counted at one path. */
export class PathNode {
  /** Levels of nesting: 0 for the documents themselves. */
  readonly depth: number;
  /** How often each type occurred, by type slot. */
  readonly types: number[] = NO_TYPES.slice();
  /** BSON bytes of type byte, name and value. */
  bytes = 0;
  /** `bytes` before the document that is being walked; kept only for a document larger than all before. */
  bytesBefore = 0;
  /** Paths below this one. */
  pathsBelow = 0;
  /** Documents that hold the path. After a merge at most so many. */
  documents = 0;
  /** Enclosing objects that hold the field. Of `*`, after a merge, at most so many. */
  holders = 0;
  /** The serial number of the last enclosing object that held the field. */
  lastHolder = 0;
  readonly values = new ValueObserver();
  array: ArrayStatistics | null = null;
  /** The elements of the arrays at this path. */
  element: PathNode | null = null;
  object: PathFields | null = null;
  /** The field that followed this one when it was last seen: the one to expect. */
  successor: PathNode | null = null;
  /** The next field of the same object whose name has the same hash. */
  nextOfSameHash: PathNode | null = null;
  /** The path into which this one was merged. */
  mergedInto: PathNode | null = null;

  /** @param objectsBefore objects at the parent's path that ended before the field was first seen */
  constructor(
    public parent: PathNode | null,
    readonly step: PathStep,
    readonly name: FieldName,
    readonly objectsBefore: number,
  ) {
    this.depth = parent === null ? 0 : parent.depth + 1;
  }

  /** Values seen here. */
  get occurrences(): number {
    return this.types.reduce((sum, count) => sum + count, 0);
  }

  /** The paths directly below, in order of first appearance. */
  get children(): PathNode[] {
    const children = this.object === null ? [] : [...this.object.named];
    if (this.object !== null && this.object.rest !== null) children.push(this.object.rest);
    if (this.element !== null) children.push(this.element);
    return children;
  }

  /** Counts the paths below anew, here and everywhere below. */
  countPathsBelow(): number {
    this.pathsBelow = this.children.reduce((sum, child) => sum + 1 + child.countPathsBelow(), 0);
    return this.pathsBelow;
  }

  openArray(): ArrayStatistics {
    return (this.array ??= new ArrayStatistics());
  }

  openObject(): PathFields {
    return (this.object ??= new ObjectFields<PathNode>(this));
  }
}
