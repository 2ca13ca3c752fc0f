import { formatBytes, formatCount, plural } from '../format.js';
import { ArraySiblingsObserver, COMPARED_ELEMENTS } from './array-siblings.js';
import { BsonValidator } from './bson-validation.js';
import { distributionOf } from './distribution.js';
import type { ArraySiblings, DocumentProfile, PathProfile } from './document-profile.js';
import { DocumentShapesObserver } from './document-shapes.js';
import { DocumentWalker } from './document-walker.js';
import { foldBelow, foldFields, type FoldingStage } from './folding.js';
import { GrowthSample, type KeptDocuments, type LengthSeries } from './growth-sample/growth-sample.js';
import { Histogram } from './histogram.js';
import type { PathNode } from './path-node.js';
import { lengthsByPath, objectProfile, pathOf, pathProfiles } from './path-profiles.js';
import { DEFAULT_PROFILE_LIMITS, PathTree, type ProfileLimits } from './path-tree.js';

/** Share of the heaviest top-level path's bytes that a deeper path must hold to be named in its place. */
const MOST_OF_THE_BYTES = 0.8;

export interface ProfiledGrowth {
  readonly sample: KeptDocuments;
  /** By path, the lengths of arrays in the documents that are kept. */
  readonly lengths: ReadonlyMap<string, Pick<LengthSeries, 'documents' | 'lengths'>>;
}

// Profiles documents from their raw BSON, each in one pass, without building objects. Its limits bound the memory. Each
// is validated before it is walked, so that a malformed document leaves no trace but its count.
export class DocumentProfiler {
  private readonly tree: PathTree;
  private readonly walker: DocumentWalker;
  private readonly validator = new BsonValidator();
  private readonly sizes = new Histogram();
  private readonly sample = new GrowthSample();
  private readonly arraySiblings = new ArraySiblingsObserver();
  private readonly documentShapes = new DocumentShapesObserver();
  private levels = 0;
  private heaviest: HeaviestPath | null = null;
  private malformedDocuments = 0;
  private malformedDetail: string | null = null;
  private thinAt = 1;

  /** The buffer that the last document lay in. Documents of a batch share one. */
  private buffer: ArrayBufferLike | null = null;
  private bufferBytes: Uint8Array = new Uint8Array(0);
  private bufferView: DataView = new DataView(new ArrayBuffer(0));

  constructor(limits: Partial<ProfileLimits> = {}) {
    this.tree = new PathTree({ ...DEFAULT_PROFILE_LIMITS, ...limits });
    this.walker = new DocumentWalker(this.tree, this.sample);
  }

  get documents(): number {
    return this.sizes.count;
  }

  get bytes(): number {
    return this.sizes.sum;
  }

  /** Never throws for bytes that are not BSON: they count as malformed. */
  add(document: Uint8Array): void {
    if (document.buffer !== this.buffer) this.changeBuffer(document.buffer);
    const start = document.byteOffset;
    const size = document.byteLength;
    const levels = this.validator.levels(this.bufferBytes, this.bufferView, start, start + size);
    if (levels < 0) {
      this.malformedDocuments += 1;
      this.malformedDetail ??= `${this.validator.problem} at byte ${this.validator.problemOffset}`;
      return;
    }
    if (levels > this.levels) this.levels = levels;
    const isLargest = size > this.sizes.max;
    if (isLargest) keepBytes(this.tree.root);
    this.sample.begin(this.bufferBytes, this.bufferView, start, size);
    this.walker.walk(this.bufferBytes, this.bufferView, start);
    this.documentShapes.observe(this.tree.rootFields, this.walker.documentSerial, this.bufferBytes, this.bufferView);
    if (this.walker.longestArray >= COMPARED_ELEMENTS)
      this.arraySiblings.observe(this.bufferBytes, this.bufferView, start);
    if (isLargest) this.heaviest = heaviestPath(this.tree.root);
    this.sizes.add(size);
    if (this.tree.toJudge.length > 0) this.judge();
    if (this.tree.refusedSinceThinning > 0 && this.documents >= this.thinAt) this.thin();
  }

  /** Forgets names that were found to be data by now; documents can still be added. */
  profile(): DocumentProfile {
    const { tree, sizes } = this;
    this.fold('shown');
    const { paths: ownPaths, limits } = pathProfiles(tree.root, this.bytes);
    const paths = withSiblings(ownPaths, this.arraySiblings.siblings());
    const heaviest = this.heaviestAmong(paths);
    const shapes = this.documentShapes.shapes(tree.rootFields);
    return {
      documents: this.documents,
      bytes: this.bytes,
      sizes: distributionOf(sizes),
      depth: { max: this.levels, path: paths.find((path) => path.depth === this.levels)?.path ?? null },
      root: objectProfile(tree.rootFields),
      paths,
      ...(shapes !== null && { shapes }),
      largest: {
        bytes: sizes.max,
        heaviestPath: heaviest?.path ?? null,
        heaviestPathBytes: heaviest?.bytes ?? 0,
      },
      malformed: { documents: this.malformedDocuments, detail: this.malformedDetail },
      limits: [...this.pathLimits(), ...limits],
    };
  }

  /** To be called after `profile`, which settles the paths. */
  growth(): ProfiledGrowth {
    return { sample: this.sample.kept(), lengths: lengthsByPath(this.tree.root) };
  }

  private changeBuffer(buffer: ArrayBufferLike): void {
    this.buffer = buffer;
    // Not the caller's own view: one class of views keeps the walk fast.
    this.bufferBytes = new Uint8Array(buffer);
    this.bufferView = new DataView(buffer);
  }

  private judge(): void {
    const { tree } = this;
    for (const object of tree.toJudge) {
      const isPartOfTree = object.node.mergedInto === null;
      if (isPartOfTree && foldFields(tree, object, 'reading')) foldBelow(tree, object.node, 'reading');
    }
    tree.toJudge.length = 0;
    tree.root.countPathsBelow();
  }

  /** Makes room for paths that were refused, as far as other names can be recognized as data by now. */
  private thin(): void {
    this.fold('thinning');
    this.tree.refusedSinceThinning = 0;
    this.thinAt = 2 * this.documents;
  }

  private fold(stage: FoldingStage): void {
    foldBelow(this.tree, this.tree.root, stage);
    this.tree.root.countPathsBelow();
  }

  private heaviestAmong(paths: readonly PathProfile[]): { path: string; bytes: number } | null {
    if (this.heaviest === null) return null;
    const path = pathOf(this.heaviest.node);
    return paths.some((known) => known.path === path) ? { path, bytes: this.heaviest.bytes } : null;
  }

  private pathLimits(): string[] {
    const { limits, refusedValues, refusedBytes } = this.tree;
    if (refusedValues === 0) return [];
    const left = `${plural(refusedValues, 'value')} (${formatBytes(refusedBytes)})`;
    return [
      `Only ${formatCount(limits.maxPaths)} paths are profiled; ${left} at other paths count only as part of their parents.`,
    ];
  }
}

function withSiblings(
  paths: readonly PathProfile[],
  siblings: ReadonlyMap<string, ArraySiblings>,
): readonly PathProfile[] {
  if (siblings.size === 0) return paths;
  return paths.map((path) => {
    const found = siblings.get(path.path);
    return path.array === undefined || found === undefined
      ? path
      : { ...path, array: { ...path.array, siblings: found } };
  });
}

interface HeaviestPath {
  readonly node: PathNode;
  readonly bytes: number;
}

function keepBytes(node: PathNode): void {
  node.bytesBefore = node.bytes;
  for (const child of node.children) keepBytes(child);
}

// In the document that was just walked; elements are named by their array. Null for an empty document.
function heaviestPath(root: PathNode): HeaviestPath | null {
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
