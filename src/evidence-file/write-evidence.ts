import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { stat, type FileHandle } from 'node:fs/promises';
import { PassThrough, type Duplex } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { CollectedTracedEvidence } from '../evidence/cluster-evidence.js';
import type { EvidenceGap, EvidenceRun } from '../evidence/evidence-run.js';
import { type EvidencePlan, type KeptCollection, keptEvidence } from '../evidence/source.js';
import { FileFault, fileFault, nullIfMissing } from '../files/file-fault.js';
import { PRIVATE_MODE, replaceFileBy } from '../files/file-replacement.js';
import { packageInfo } from '../files/package-root.js';
import { plural } from '../format.js';
import { LintError } from '../lint-error.js';
import { absent, derived } from '../presence.js';
import { workloadRest } from '../workload/workload-schema.js';
import {
  EVIDENCE_FORMAT,
  EVIDENCE_VERSION,
  LINE_SCHEMAS,
  type ClusterLine,
  type CollectingSettings,
  type EvidenceLine,
  type FooterLine,
  type HeaderLine,
} from './evidence-lines.js';
import { toFile } from './file-collection.js';
import type { Pseudonyms } from './pseudonyms/pseudonyms.js';
import { toJson, validLine, type ValidLine } from './valid-line.js';

export interface WrittenRun {
  readonly run: EvidenceRun;
  readonly plan: Pick<EvidencePlan, 'kept'>;
  readonly collections: number;
  readonly settings: CollectingSettings;
  readonly target?: string;
  readonly marks?: readonly string[];
  /** Stand-ins for all names; absent, names are written as they are. */
  readonly pseudonyms?: Pseudonyms;
  readonly onCollection: (collected: KeptCollection) => void;
  readonly onCluster: (evidence: CollectedTracedEvidence) => void;
}

/**
 * Writes the evidence of a run while it is collected: whole or not at all, gzipped if the file's name ends in ".gz".
 *
 * @throws LintError if the file can't be written; what keeps the evidence from being collected
 */
export async function writeEvidence(file: string, written: WrittenRun): Promise<FooterLine> {
  try {
    await refuseAllButFiles(file);
    const isGzipped = file.endsWith('.gz');
    const form = await lineForm(written);
    const write = (draft: FileHandle) => writeLines(new LineWriter(draft, isGzipped, form), written);
    return await replaceFileBy(file, write, PRIVATE_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined && !(error instanceof FileFault)) throw error;
    throw new LintError(`The evidence can't be written to ${file}: ${fileFault(error)}.`, { cause: error });
  }
}

/** A device or a pipe would be replaced by a file. */
async function refuseAllButFiles(file: string): Promise<void> {
  const existing = await stat(file).catch(nullIfMissing);
  if (existing !== null && !existing.isFile()) throw new FileFault('it is not a file');
}

type LineForm = <Line extends EvidenceLine | Omit<FooterLine, 'sha256'>>(line: Line) => ValidLine<Line>;

/** How lines stand in the file. */
async function lineForm({ pseudonyms }: Pick<WrittenRun, 'pseudonyms'>): Promise<LineForm> {
  if (pseudonyms === undefined) return validLine;
  const { pseudonymisedLine } = await import('./pseudonyms/pseudonyms.js');
  return (given) => {
    const { line, lost } = validLine(given);
    if (line === null) return { line, lost };
    // Validated again: schemas look at nothing of the name "__proto__", which now has another.
    const formed = validLine(pseudonymisedLine(line, LINE_SCHEMAS[line.kind], pseudonyms) as typeof line);
    return { line: formed.line, lost: { ...lost, ...formed.lost } };
  };
}

async function writeLines(lines: LineWriter, written: WrittenRun): Promise<FooterLine> {
  const { run, plan, onCollection, onCluster } = written;
  try {
    await lines.write(headerLine(written));
    const kept = await run.ofCollections(async (collected) => {
      const { collection, evidence } = collected;
      const lost = await lines.write({ kind: 'collection', ...toFile(collected) });
      onCollection({ ...collected, evidence: { ...evidence, ...lost } });
      return { collection, evidence: keptEvidence(collection, evidence, plan.kept) };
    });
    const evidence = await run.ofCluster(kept);
    onCluster({ ...evidence, ...(await lines.write(clusterLine(evidence))) });
    const before = lines.count;
    const operations = evidence.workload?.present === true ? evidence.workload.value.operations : [];
    for (const operation of operations) await lines.write({ kind: 'operation', operation });
    const left = operations.length - (lines.count - before);
    const end = await run.end();
    const gaps = left > 0 ? [...end.gaps, unwritten(left)] : end.gaps;
    const rest: Omit<FooterLine, 'sha256'> = {
      kind: 'footer',
      ...end,
      gaps,
      // Names of hosts, for which there is no pseudonym.
      ...(written.pseudonyms !== undefined && { reads: null }),
      finishedAt: (end.finishedAt ?? new Date()).toISOString(),
      user: await run.user(),
      lines: { collections: kept.length, operations: operations.length - left, total: lines.count + 1 },
    };
    return { ...rest, sha256: await lines.end(rest) };
  } catch (error) {
    lines.destroy();
    throw error;
  }
}

function unwritten(operations: number): EvidenceGap {
  const detail = `${plural(operations, 'recorded operation is', 'recorded operations are')} not in the file: they do not match the format of evidence.`;
  return { name: 'workload', gap: absent('malformed', detail) };
}

function headerLine({ run, collections, settings, target, marks, pseudonyms }: WrittenRun): HeaderLine {
  const { name, version } = packageInfo();
  const { startedAt, cluster, inventory } = run;
  const { unlisted, shardingUnknown } = inventory;
  return {
    kind: 'header',
    format: EVIDENCE_FORMAT,
    version: EVIDENCE_VERSION,
    tool: { name, version },
    startedAt: startedAt.toISOString(),
    ...(target !== undefined && { target }),
    ...(pseudonyms !== undefined && { pseudonyms: pseudonyms.id }),
    cluster,
    ...(marks !== undefined && { marks }),
    settings,
    collections,
    unlisted,
    ...(shardingUnknown !== undefined && { shardingUnknown }),
  };
}

function clusterLine({ workload, ...evidence }: CollectedTracedEvidence): ClusterLine {
  return {
    kind: 'cluster',
    evidence: { ...evidence, ...(workload && { workload: derived(workload, workloadRest) }) },
  };
}

/** The checksum of a file, in hexadecimal. @param before the hash of all lines before, with their ends */
export function footerDigest(before: Hash, rest: Omit<FooterLine, 'sha256'>): string {
  return before
    .copy()
    .update(JSON.stringify(toJson(rest)))
    .digest('hex');
}

/** Writes no faster than the disk takes it. */
class LineWriter {
  private readonly hash = createHash('sha256');
  private readonly stream: Duplex;
  private readonly piped: Promise<void>;
  private written = 0;
  private turn = Promise.resolve();

  constructor(
    draft: FileHandle,
    isGzipped: boolean,
    private readonly form: LineForm,
  ) {
    this.stream = isGzipped ? createGzip() : new PassThrough();
    this.piped = writeAll(draft, this.stream);
    // Whoever writes next hears of it.
    this.piped.catch(() => {});
  }

  get count(): number {
    return this.written;
  }

  /** Returns the pieces of evidence that the line had to do without. */
  async write(given: EvidenceLine): Promise<ValidLine<EvidenceLine>['lost']> {
    const { line, lost } = this.form(given);
    if (line !== null) await this.writeFormed(line);
    return lost;
  }

  /** The last line, with the checksum of all that is written. */
  async end(rest: Omit<FooterLine, 'sha256'>): Promise<string> {
    const { line } = this.form(rest);
    if (line === null) throw new Error('Only lines of operations are left out.');
    const sha256 = footerDigest(this.hash, line);
    await this.writeFormed({ ...line, sha256 });
    this.stream.end();
    await this.piped;
    return sha256;
  }

  private writeFormed(line: EvidenceLine): Promise<void> {
    const text = `${JSON.stringify(toJson(line))}\n`;
    this.written += 1;
    this.hash.update(text);
    this.turn = this.turn.then(() => this.put(text));
    return this.turn;
  }

  destroy(): void {
    this.stream.destroy();
  }

  private async put(text: string): Promise<void> {
    if (this.stream.destroyed) await this.piped;
    if (!this.stream.write(text)) await Promise.race([once(this.stream, 'drain'), this.piped]);
  }
}

async function writeAll(draft: FileHandle, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) await draft.writeFile(chunk);
}
