import type { ArrayStatistics } from './array-statistics.js';
import { ARRAY, DECIMAL, OBJECT, scalarBytes, typeSlot } from './bson-types.js';
import { afterName } from './field-name.js';
import type { GrowthSample } from './growth-sample/growth-sample.js';
import type { PathFields, PathNode } from './path-node.js';
import type { PathTree } from './path-tree.js';

/** FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/. In this file, since imported ones are looked up for each byte. */
const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

const NOTHING = new Uint8Array(0);

// Counts what documents hold into a tree of paths without building an object, decoding a known name, or allocating per
// value. Documents must have been validated: the walk trusts every length and terminator.
export class DocumentWalker {
  private bytes: Uint8Array = NOTHING;
  private view: DataView = new DataView(NOTHING.buffer);
  /** The number of the object met last; objects are numbered through all documents. */
  private serial = 0;
  /** The number of the document that was walked last. */
  documentSerial = 0;
  private afterName = 0;
  /** Arrays met in this document, each path once; the first `touchedArrays` of the list count. */
  private readonly touched: ArrayStatistics[] = [];
  private touchedArrays = 0;
  /** Elements of the longest array in the document that was walked last. */
  longestArray = 0;

  constructor(
    private readonly tree: PathTree,
    private readonly growth: GrowthSample,
  ) {}

  walk(bytes: Uint8Array, view: DataView, start: number): void {
    this.bytes = bytes;
    this.view = view;
    this.documentSerial = this.serial + 1;
    this.longestArray = 0;
    this.tree.root.documents += 1;
    const end = this.walkObject(this.tree.rootFields, start);
    for (let index = 0; index < this.touchedArrays; index += 1) {
      (this.touched[index] as ArrayStatistics).endDocument(end - start, this.growth);
    }
    this.touchedArrays = 0;
  }

  private walkObject(object: PathFields, start: number): number {
    const bytes = this.bytes;
    const view = this.view;
    const serial = this.serial + 1;
    this.serial = serial;
    let fields = 0;
    let previous: PathNode | null = null;
    let expected = object.first;
    let at = start + 4;
    for (;;) {
      const type = bytes[at] as number;
      if (type === 0) break;
      const elementStart = at;
      fields += 1;
      at += 1;
      let field = expected;
      if (field !== null && !field.name.isAt(view, bytes, at)) {
        field = field.successor;
        if (field !== null && !field.name.isAt(view, bytes, at)) field = null;
      }
      if (field !== null) {
        at += field.name.length;
      } else {
        field = this.lookUp(object, at);
        at = this.afterName;
        if (field === null) {
          at = this.skipValue(type, at);
          this.tree.refuse(at - elementStart);
          continue;
        }
        if (previous === null) object.first = field;
        else previous.successor = field;
      }
      const slot = type <= DECIMAL ? type : typeSlot(type);
      field.types[slot] = (field.types[slot] as number) + 1;
      const lastHolder = field.lastHolder;
      if (lastHolder !== serial) {
        field.holders += 1;
        if (lastHolder < this.documentSerial) field.documents += 1;
        field.lastHolder = serial;
      }
      field.lastType = type;
      field.lastAt = at;
      at = this.walkValue(field, type, at);
      field.bytes += at - elementStart;
      previous = field;
      expected = field.successor;
    }
    object.counts.add(fields);
    return at + 1;
  }

  private walkValue(node: PathNode, type: number, at: number): number {
    if (type === OBJECT) return this.walkObject(node.object ?? node.openObject(), at);
    if (type === ARRAY) return this.walkArray(node, at);
    return node.values.observe(this.view, this.bytes, type, at);
  }

  private walkArray(node: PathNode, start: number): number {
    const bytes = this.bytes;
    const view = this.view;
    const size = view.getInt32(start, true);
    const terminator = start + size - 1;
    let length = 0;
    let at = start + 4;
    if (at < terminator) {
      const element = node.element ?? this.tree.elementOf(node);
      if (element !== null) {
        if (element.lastHolder < this.documentSerial) element.documents += 1;
        this.serial += 1;
        element.lastHolder = this.serial;
        element.holders += 1;
        element.bytes += terminator - at;
      }
      const types = element === null ? null : element.types;
      while (at < terminator) {
        const type = bytes[at] as number;
        at = afterName(view, bytes, at + 1);
        length += 1;
        if (element === null || types === null) {
          const elementStart = at;
          at = this.skipValue(type, at);
          this.tree.refuse(at - elementStart);
        } else {
          const slot = type <= DECIMAL ? type : typeSlot(type);
          types[slot] = (types[slot] as number) + 1;
          at = this.walkValue(element, type, at);
        }
      }
    }
    const array = node.array ?? node.openArray();
    if (array.bytesInDocument === 0) {
      this.touched[this.touchedArrays] = array;
      this.touchedArrays += 1;
    }
    if (length > this.longestArray) this.longestArray = length;
    array.add(length, size);
    return terminator + 1;
  }

  /** Null if the limits leave the field out; sets `afterName`. */
  private lookUp(object: PathFields, at: number): PathNode | null {
    const bytes = this.bytes;
    let hash = FNV_OFFSET;
    let end = at;
    for (let byte = bytes[end] as number; byte !== 0; byte = bytes[end] as number) {
      hash = Math.imul(hash ^ byte, FNV_PRIME);
      end += 1;
    }
    this.afterName = end + 1;
    return object.find(this.view, bytes, at, hash) ?? this.tree.unknownField(object, bytes, at, end + 1, hash);
  }

  private skipValue(type: number, at: number): number {
    if (type === OBJECT || type === ARRAY) return at + this.view.getInt32(at, true);
    return at + scalarBytes(this.view, this.bytes, type, at);
  }
}
