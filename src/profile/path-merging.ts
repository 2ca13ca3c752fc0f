import type { PathFields, PathNode } from './path-node.js';

// Between documents. Afterwards `from` is no part of the tree, whose paths must then be counted again.
export function mergePath(into: PathNode, from: PathNode): void {
  for (let slot = 0; slot < into.types.length; slot += 1) {
    into.types[slot] = (into.types[slot] as number) + (from.types[slot] as number);
  }
  into.bytes += from.bytes;
  into.documents += from.documents;
  into.holders += from.holders;
  into.values.merge(from.values);
  if (from.array !== null) into.openArray().merge(from.array);
  if (from.object !== null) mergeFields(into.openObject(), from.object);
  if (from.element !== null) into.element = mergedOrMoved(into, into.element, from.element);
  from.mergedInto = into;
}

function mergeFields(into: PathFields, from: PathFields): void {
  into.counts.merge(from.counts);
  for (const field of from.named) {
    const known = into.findNamed(field.name);
    if (known === null) {
      field.parent = into.node;
      field.successor = null;
      into.addNamed(field);
    } else {
      mergePath(known, field);
    }
  }
  if (from.rest !== null) into.rest = mergedOrMoved(into.node, into.rest, from.rest);
  if (from.restNames !== null) into.openRestNames().merge(from.restNames);
  if (from.overflows) into.overflows = true;
  if (from.namesAreData) into.namesAreData = true;
  into.addPatterns(from);
}

function mergedOrMoved(parent: PathNode, known: PathNode | null, path: PathNode): PathNode {
  if (known !== null) {
    mergePath(known, path);
    return known;
  }
  path.parent = parent;
  path.successor = null;
  return path;
}
