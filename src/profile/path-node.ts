import { ArrayStatistics } from './array-statistics.js';
import { TYPE_SLOTS } from './bson-types.js';
import type { FieldName } from './field-name.js';
import { ObjectFields } from './object-fields.js';
import { ValueObserver } from './value-facts.js';

/** Copied for each node, which is quicker than making a new array. */
const NO_TYPES: readonly number[] = Array.from({ length: TYPE_SLOTS }, () => 0);

export type PathStep = 'field' | 'any-field' | 'element';

export type PathFields = ObjectFields<PathNode>;

export class PathNode {
  /** Levels of nesting: 0 for the documents themselves. */
  readonly depth: number;
  readonly types: number[] = NO_TYPES.slice();
  bytes = 0;
  /** `bytes` before the document that is being walked; kept only for a document larger than all before. */
  bytesBefore = 0;
  pathsBelow = 0;
  /** That hold the path; after a merge an upper bound. */
  documents = 0;
  /** Enclosing objects that hold the field; of `*`, after a merge, an upper bound. */
  holders = 0;
  lastHolder = 0;
  readonly values = new ValueObserver();
  array: ArrayStatistics | null = null;
  element: PathNode | null = null;
  object: PathFields | null = null;
  successor: PathNode | null = null;
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

  get occurrences(): number {
    return this.types.reduce((sum, count) => sum + count, 0);
  }

  get children(): PathNode[] {
    const children = this.object === null ? [] : [...this.object.named];
    if (this.object !== null && this.object.rest !== null) children.push(this.object.rest);
    if (this.element !== null) children.push(this.element);
    return children;
  }

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
