import { formatBytes, formatCount, plural } from '../../format.js';
import { GrowthSample } from '../growth/growth-sample.js';
import type { LengthSeries } from '../growth/length-series.js';
import { BsonValidator } from './bson-validation.js';
import { distributionOf } from './distribution.js';
import type { DocumentProfile, PathProfile } from './document-profile.js';
import { DocumentWalker } from './document-walker.js';
import { foldBelow, foldFields, type FoldingStage } from './folding.js';
import { heaviestPath, keepBytes, type HeaviestPath } from './heaviest-path.js';
import { Histogram } from './histogram.js';
import { lengthsByPath, objectProfile, pathOf, pathProfiles } from './path-profiles.js';
import { DEFAULT_PROFILE_LIMITS, PathTree, type ProfileLimits } from './path-tree.js';

/** What the profiled documents tell of growth. */
export interface ProfiledGrowth {
  readonly sample: GrowthSample;
  /** Lengths of the arrays at each path. */
  readonly lengths: ReadonlyMap<string, LengthSeries>;
}

/**
 * Profiles documents from their raw BSON, one after the other and each in one pass, without building objects.
 *
 * Memory is bounded by the limits, however many and however odd the documents are. A document that is not valid BSON is
 * counted as malformed and leaves no other trace: each is validated before it is walked.
 */
export class DocumentProfiler {
  private readonly tree: PathTree;
  private readonly walker: DocumentWalker;
  private readonly validator = new BsonValidator();
  private readonly sizes = new Histogram();
  private readonly sample = new GrowthSample();
  private levels = 0;
  private heaviest: HeaviestPath | null = null;
  private malformedDocuments = 0;
  private malformedDetail: string | null = null;
  /** Documents from which the paths may be thinned again. */
  private thinAt = 1;

  /** The buffer that the last document lay in. Documents of a batch share one. */
  private buffer: ArrayBufferLike | null = null;
  private bufferBytes: Uint8Array = new Uint8Array(0);
  private bufferView: DataView = new DataView(new ArrayBuffer(0));

  constructor(limits: Partial<ProfileLimits> = {}) {
    this.tree = new PathTree({ ...DEFAULT_PROFILE_LIMITS, ...limits });
    this.walker = new DocumentWalker(this.tree, this.sample);
  }

  /** Documents profiled so far; malformed ones do not count. */
  get documents(): number {
    return this.sizes.count;
  }

  /** BSON bytes of those documents. */
  get bytes(): number {
    return this.sizes.sum;
  }

  /** Documents so far that were not valid BSON. */
  get malformed(): number {
    return this.malformedDocuments;
  }

  /** Profiles one document, given as its BSON. Never throws for bytes that are not BSON: they count as malformed. */
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
    if (isLargest) this.heaviest = heaviestPath(this.tree.root);
    this.sizes.add(size);
    if (this.tree.toJudge.length > 0) this.judge();
    if (this.tree.refusedSinceThinning > 0 && this.documents >= this.thinAt) this.thin();
  }

  /** What was found so far. Names found to be data by now are forgotten; documents can still be added. */
  profile(): DocumentProfile {
    const { tree, sizes } = this;
    this.fold('shown');
    const { paths, limits } = pathProfiles(tree.root, this.bytes);
    const heaviest = this.heaviestAmong(paths);
    return {
      documents: this.documents,
      bytes: this.bytes,
      sizes: distributionOf(sizes),
      depth: { max: this.levels, path: paths.find((path) => path.depth === this.levels)?.path ?? null },
      root: objectProfile(tree.rootFields),
      paths,
      largest: {
        bytes: sizes.max,
        heaviestPath: heaviest?.path ?? null,
        heaviestPathBytes: heaviest?.bytes ?? 0,
      },
      malformed: { documents: this.malformedDocuments, detail: this.malformedDetail },
      limits: [...this.pathLimits(), ...limits],
    };
  }

  /** Ages, sizes and lengths document by document. To be taken after `profile`, which settles the paths. */
  growth(): ProfiledGrowth {
    return { sample: this.sample, lengths: lengthsByPath(this.tree.root) };
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

  /** Makes room for paths that were refused, as far as names of others can be found to be data by now. */
  private thin(): void {
    this.fold('thinning');
    this.tree.refusedSinceThinning = 0;
    this.thinAt = 2 * this.documents;
  }

  private fold(stage: FoldingStage): void {
    foldBelow(this.tree, this.tree.root, stage);
    this.tree.root.countPathsBelow();
  }

  /** The heaviest path of the largest document; null where it is beyond the limits. */
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
      `At most ${formatCount(limits.maxPaths)} paths are kept; ${left} at further paths were counted only towards what they lie in.`,
    ];
  }
}
