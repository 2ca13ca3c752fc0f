import { setImmediate } from 'node:timers/promises';
import type { CollectedTracedEvidence } from '../evidence/cluster-evidence.js';
import type { EvidenceRun, RunEnd } from '../evidence/evidence-run.js';
import type { KeptCollection } from '../evidence/source.js';
import { CLUSTER_EVIDENCE_NAMES } from '../evidence/sources.js';
import { fileFault } from '../files/file-fault.js';
import { formatCount, plural } from '../format.js';
import { LintError } from '../lint-error.js';
import { absent, present, type Absent } from '../presence.js';
import { compareTexts } from '../text/compare-texts.js';
import { NO_ROUTER_LOGS } from '../workload/sources/log-file.js';
import { traceWorkload } from '../workload/traced-workload.js';
import type { Operation, Workload } from '../workload/workload.js';
import {
  EVIDENCE_FORMAT,
  EVIDENCE_VERSION,
  FIRST_VERSION_WITH_GROWTH,
  LINE_SCHEMAS,
  type ClusterLine,
  type CollectionLine,
  type EvidenceLine,
  type FooterLine,
  type HeaderLine,
} from './evidence-lines.js';
import { fromFile } from './file-collection.js';
import { fileLines, LineFault, type FileLine } from './file-lines.js';
import { fromJson } from './valid-line.js';
import { footerDigest } from './write-evidence.js';

/** A run whose evidence is read from a file, once. */
export interface FileRun extends EvidenceRun {
  readonly header: HeaderLine;
  close(): Promise<void>;
}

/** The first line alone. @throws LintError if it is no evidence file that this version reads */
export async function readEvidenceHeader(file: string): Promise<HeaderLine> {
  const lines = new ParsedLines(file);
  try {
    return await lines.header();
  } finally {
    await lines.close();
  }
}

/**
 * Begins to read a file of evidence, which the caller closes. Its lines are read as they are asked for, so that few of them are held.
 *
 * @param timeOver asked between two collections: why no more of the file is read; null as long as there is time
 * @throws LintError, also from the methods of the run, if it is cut off, damaged, foreign, or of a newer version
 */
export async function readEvidence(file: string, timeOver: () => Absent | null = () => null): Promise<FileRun> {
  const lines = new ParsedLines(file);
  const header = await lines.header().catch(async (error: unknown) => {
    await lines.close();
    throw error;
  });
  const { startedAt, cluster, unlisted, shardingUnknown } = header;
  let footer: FooterLine | null = null;
  let unfinished: Absent | null = null;
  const stopped = (taken: number) => (unfinished ??= unfinishedAfter(taken, header, timeOver())) !== null;
  return {
    header,
    startedAt: new Date(startedAt),
    cluster,
    hasPseudonyms: header.pseudonyms !== undefined,
    inventory: { unlisted, ...(shardingUnknown !== undefined && { shardingUnknown }) },
    ofCollections: (take) => collectionsOf(lines, stopped, take),
    unfinished: () => unfinished,
    async ofCluster() {
      if (unfinished !== null) return unreadCluster(unfinished);
      const evidence = await clusterEvidenceOf(lines);
      footer = await lines.footer();
      return evidence;
    },
    async end() {
      if (unfinished !== null) return unknownEnd(header, unfinished);
      const { finishedAt, ...end } = footer ?? (await lines.footer());
      return { ...end, finishedAt: new Date(finishedAt) };
    },
    user: async () => footer?.user ?? null,
    close: () => lines.close(),
  };
}

function unfinishedAfter(taken: number, { collections }: HeaderLine, over: Absent | null): Absent | null {
  if (over === null) return null;
  return absent(over.reason, `${formatCount(taken)} of ${plural(collections, 'collection')} were read: ${over.detail}`);
}

/** Evidence that is in the file, and was not read. */
function unreadCluster(unfinished: Absent): CollectedTracedEvidence {
  return Object.fromEntries(CLUSTER_EVIDENCE_NAMES.map((name) => [name, unfinished]));
}

/** How collecting the evidence went stands at the end of the file. */
function unknownEnd({ startedAt }: HeaderLine, { reason }: Absent): RunEnd {
  const isOutOfTime = reason === 'max-time';
  const finishedAt = new Date(startedAt);
  return { finishedAt, isOutOfTime, isStopped: false, serverLoad: null, gaps: [], errorCodes: [], historyFault: null };
}

async function collectionsOf<Result>(
  lines: ParsedLines,
  stopped: (taken: number) => boolean,
  take: (collected: KeptCollection) => Result | Promise<Result>,
): Promise<Result[]> {
  const taken: { readonly namespace: string; readonly result: Result }[] = [];
  while (!stopped(taken.length)) {
    const line = await lines.next('collection');
    if (line === null) break;
    const collected = fromFile(line as CollectionLine);
    taken.push({ namespace: collected.collection.namespace, result: await take(collected) });
    // For signals.
    await setImmediate();
  }
  return taken.sort((one, other) => compareTexts(one.namespace, other.namespace)).map(({ result }) => result);
}

async function clusterEvidenceOf(lines: ParsedLines): Promise<CollectedTracedEvidence> {
  const { evidence } = (await lines.needed('cluster')) as ClusterLine;
  const operations: Operation[] = [];
  for (let line = await lines.next('operation'); line !== null; line = await lines.next('operation'))
    operations.push((line as Extract<EvidenceLine, { kind: 'operation' }>).operation);
  const { workload, ...rest } = evidence;
  if (workload === undefined) return rest;
  if (!workload.present) return { ...rest, workload };
  const { sources: read } = workload.value as { readonly sources: Partial<Workload['sources']> };
  const sources = { routerLog: NO_ROUTER_LOGS, ...read } as Workload['sources'];
  const whole: Workload = { operations, ...workload.value, sources };
  return { ...rest, workload: present(traceWorkload(whole)) };
}

/** The lines of a file, each of which is what its schema says, in their order. */
class ParsedLines {
  private readonly lines: AsyncGenerator<FileLine>;
  private readonly counts: Record<EvidenceLine['kind'], number> = {
    header: 0,
    collection: 0,
    cluster: 0,
    operation: 0,
    footer: 0,
  };
  private waiting: { readonly at: FileLine; readonly line: EvidenceLine } | null = null;
  private version = EVIDENCE_VERSION;

  constructor(private readonly file: string) {
    this.lines = fileLines(file);
  }

  async close(): Promise<void> {
    await this.lines.return(undefined);
  }

  async header(): Promise<HeaderLine> {
    return (await this.needed('header')) as HeaderLine;
  }

  /** The next line if it is of this kind, or else null. */
  async next(kind: EvidenceLine['kind']): Promise<EvidenceLine | null> {
    const { line } = (this.waiting ??= await this.parsed());
    if (line.kind !== kind) return null;
    this.waiting = null;
    this.counts[kind] += 1;
    return line;
  }

  async needed(kind: EvidenceLine['kind']): Promise<EvidenceLine> {
    const { at, line } = (this.waiting ??= await this.parsed());
    if (line.kind !== kind) throw this.fault(at.number, `is damaged: a line of kind "${kind}" must stand here`);
    return (await this.next(kind)) as EvidenceLine;
  }

  /** The last line, if all that it counts is there. */
  async footer(): Promise<FooterLine> {
    const { at } = (this.waiting ??= await this.parsed());
    const footer = (await this.needed('footer')) as FooterLine;
    const { collections, operations, total } = footer.lines;
    const isWhole =
      collections === this.counts.collection && operations === this.counts.operation && total === at.number;
    if (!isWhole) throw this.fault(at.number, 'does not count the lines before it: some are missing, or were added');
    const { sha256, ...rest } = footer;
    if (sha256 !== footerDigest(at.hashBefore, rest))
      throw this.fault(at.number, 'has another checksum than the file: it was changed');
    if ((await this.read()) !== null) throw this.fault(at.number + 1, 'follows the end: the file was changed');
    return footer;
  }

  private async parsed(): Promise<{ readonly at: FileLine; readonly line: EvidenceLine }> {
    const at = await this.read();
    if (at === null) throw new LintError(`${this.file} is cut off: it has no end. Collect the evidence again.`);
    return { at, line: this.lineOf(at) };
  }

  private async read(): Promise<FileLine | null> {
    try {
      const { value, done } = await this.lines.next();
      return done === true ? null : value;
    } catch (error) {
      if (error instanceof LineFault) throw this.fault(error.line, error.message);
      throw new LintError(`${this.file} can't be read: ${readingFault(error)}.`, { cause: error });
    }
  }

  private lineOf({ number, text }: FileLine): EvidenceLine {
    const written = parsedJson(text) as { kind?: unknown } | null;
    if (number === 1) this.assertReadable(written);
    const value = this.version < FIRST_VERSION_WITH_GROWTH ? withoutGrowth(written) : written;
    if (value === null) throw this.fault(number, 'is damaged or cut off: it is not JSON');
    const kind = value.kind as EvidenceLine['kind'];
    if (typeof kind !== 'string' || !Object.hasOwn(LINE_SCHEMAS, kind))
      throw this.fault(number, 'is damaged: it is of no known kind');
    const issue = LINE_SCHEMAS[kind].safeParse(value).error?.issues[0];
    if (issue !== undefined)
      throw this.fault(number, `is damaged at ${issue.path.join('.') || 'its top'}: ${issue.code}`);
    // As it was written: what the schema gives may have its fields in another order.
    return value as EvidenceLine;
  }

  private assertReadable(value: unknown): void {
    const { kind, format, version } = (value ?? {}) as Partial<HeaderLine>;
    if (kind !== 'header' || format !== EVIDENCE_FORMAT)
      throw this.fault(1, 'is not the first line of evidence: write such a file with `mongolint collect`');
    if (typeof version === 'number' && version > EVIDENCE_VERSION)
      throw this.fault(1, `has version ${version} of the format, which is newer than this mongolint: update it`);
    if (typeof version === 'number') this.version = version;
  }

  private fault(line: number, what: string): LintError {
    return new LintError(`${this.file}, line ${line} ${what}.`);
  }
}

function parsedJson(text: string): unknown {
  try {
    const value = fromJson(JSON.parse(text));
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    // Not JSON.
    return null;
  }
}

function readingFault(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : fileFault(error);
}

const EARLIER_GROWTH = absent(
  'insufficient',
  'growth was measured by an earlier version of mongolint, in another form: collect the evidence again.',
);

/** A line of a file of an earlier version, whose growth can't be read: it is absent, and that is said. */
function withoutGrowth<Line>(line: Line): Line {
  const { evidence } = (line ?? {}) as { readonly evidence?: Record<string, unknown> };
  if (typeof evidence !== 'object' || evidence === null) return line;
  const { growth, children } = evidence as { growth?: unknown; children?: { value?: { families?: unknown } } };
  const families = children?.value?.families;
  return {
    ...line,
    evidence: {
      ...evidence,
      ...(growth !== undefined && { growth: EARLIER_GROWTH }),
      ...(Array.isArray(families) && {
        children: {
          ...children,
          value: { ...children?.value, families: families.map((family: object) => ({ ...family, growth: null })) },
        },
      }),
    },
  };
}
