import type { PathNode } from './path-node.js';

/** Share of the heaviest top-level path's bytes that a deeper path must hold to be named in its place. */
const MOST_OF_THE_BYTES = 0.8;

export interface HeaviestPath {
  readonly node: PathNode;
  readonly bytes: number;
}

export function keepBytes(node: PathNode): void {
  node.bytesBefore = node.bytes;
  for (const child of node.children) keepBytes(child);
}

// In the document that was just walked; elements are named by their array. Null for an empty document.
export function heaviestPath(root: PathNode): HeaviestPath | null {
  const top = heaviestChild(root);
  if (top === null) return null;
  let heaviest = top;
  for (
    let next: HeaviestPath | null = top;
    next !== null && next.bytes >= top.bytes * MOST_OF_THE_BYTES;
    next = heaviestChild(next.node)
  ) {
    if (next.node.step !== 'element') heaviest = next;
  }
  return heaviest;
}

function heaviestChild(node: PathNode): HeaviestPath | null {
  let heaviest: HeaviestPath | null = null;
  for (const child of node.children) {
    const bytes = child.bytes - child.bytesBefore;
    if (bytes > (heaviest?.bytes ?? 0)) heaviest = { node: child, bytes };
  }
  return heaviest;
}
