import { readBounded } from '../bounded-file.js';
import { marksOf } from '../evidence-file/cluster-identity.js';
import { writeEvidence } from '../evidence-file/write-evidence.js';
import { getMongoDataRun, type GetMongoDataRun } from '../evidence/getmongodata/getmongodata-run.js';
import { sectionsIn } from '../evidence/getmongodata/sections.js';
import { FileFault, fileFault, isMissing } from '../file-fault.js';
import type { Skipped } from '../finding.js';
import { resolvedSettings } from '../findings/check-settings.js';
import { namespaceFilter } from '../inventory/inventory.js';
import { LintError } from '../lint-error.js';
import type { CollectedRun, CollectEvidenceOptions } from './collect-evidence.js';
import { checksOf, collectingSettings } from './reading-options.js';
import { runShare } from './run-share.js';
import { assertGlobs, assertGlobsMatch } from './wanted-collections.js';

/** A cluster of 2,500 collections, the most that the script reads unless told otherwise, is some 100 MB. */
const MOST_BYTES = 512 * 1024 * 1024;

export interface CollectGetMongoDataOptions extends Omit<CollectEvidenceOptions, 'uri'> {
  /** Output of getMongoData.js, as JSON. */
  readonly input: string;
}

/**
 * Writes evidence out of the output of getMongoData.js, MongoDB's script for support cases: what collections and indexes there
 * are, and their sizes. All else is absent.
 *
 * @throws LintError if it is no such output, or the evidence can't be written
 */
export async function collectGetMongoData({
  input,
  output,
  target,
  pseudonyms,
  ...options
}: CollectGetMongoDataOptions): Promise<CollectedRun> {
  assertGlobs(options);
  const settings = resolvedSettings(options.settings ?? {});
  const { plan } = runShare(await checksOf(options), settings);
  const written = collectingSettings({ ...options, uri: '' });
  const run = await runIn(input, (text) => getMongoDataRun(sectionsIn(text), namespaceFilter(written), plan));
  assertGlobsMatch({ collections: run.collections, known: run.known, unlisted: run.inventory.unlisted }, options);
  const footer = await writeEvidence(output, {
    run,
    plan,
    settings: written,
    collections: run.collections.length,
    marks: marksOf(run.collections),
    ...(target !== undefined && { target }),
    ...(pseudonyms !== undefined && { pseudonyms }),
    onCollection: () => {},
    onCluster: () => {},
  });
  const unread: readonly Pick<Skipped, 'reason' | 'detail'>[] = run.inventory.unlisted.map(({ absent }) => absent);
  return { footer, unread };
}

async function runIn(input: string, read: (text: string) => GetMongoDataRun): Promise<GetMongoDataRun> {
  try {
    return read(await readBounded(input, MOST_BYTES));
  } catch (error) {
    if (isMissing(error)) throw new LintError(`There is no file ${input}.`, { cause: error });
    if (!(error instanceof FileFault) && (error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new LintError(`${input} can't be used: ${fileFault(error)}.`, { cause: error });
  }
}
