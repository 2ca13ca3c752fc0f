import { resolve } from 'node:path';
import { DriftComparison } from '../drift/drift-comparison.js';
import type { DriftSide } from '../drift/drift.js';
import { databaseMap } from '../evidence-file/production/database-map.js';
import type { FileRun } from '../evidence-file/read-evidence.js';
import { mappedNamespace, type MappedDatabase, type NamespaceGlobs } from '../inventory/namespace-glob.js';
import { LintError } from '../lint-error.js';
import type { EvidenceObserver } from '../lint/judge-evidence.js';
import { isLikeUri } from '../text/hidden-uris.js';
import type { Io } from './io.js';
import type { RunOptions } from './run-options.js';
import { isEvidenceFile } from './saved-run.js';

interface DriftOptions extends Pick<RunOptions, 'failOn'> {
  readonly databases: readonly MappedDatabase[];
}

/**
 * A comparison of what two files hold. Null if one of them is a report, which does not say.
 * @throws LintError if drift is asked for all the same
 */
export async function begunDrift(
  files: readonly [older: string, newer: string],
  options: DriftOptions,
  io: Io,
): Promise<DriftComparison | null> {
  if (files.some(isLikeUri)) throw new LintError('compare takes evidence files, or reports that --format json wrote.');
  for (const file of files) {
    if (await isEvidenceFile(file, io)) continue;
    const flag = options.failOn === 'drift' ? '--fail-on drift' : options.databases.length > 0 ? '--map' : null;
    if (flag !== null)
      throw new LintError(
        `${flag} needs two evidence files, and ${file} is not one: write it with \`mongolint collect\`.`,
      );
    return null;
  }
  await assertSameNames(files, io);
  return new DriftComparison({ old: files[0], new: files[1] }, options.databases);
}

/** @throws LintError if the files hold pseudonyms by different secrets, so that no names are the same */
async function assertSameNames([older, newer]: readonly [string, string], io: Io): Promise<void> {
  const { readEvidenceHeader } = await import('../evidence-file/read-evidence.js');
  const before = await readEvidenceHeader(resolve(io.cwd(), older));
  const after = await readEvidenceHeader(resolve(io.cwd(), newer));
  if (before.pseudonyms === after.pseudonyms) return;
  const named = before.pseudonyms === undefined ? older : after.pseudonyms === undefined ? newer : null;
  const why = named === null ? 'their pseudonyms have different secrets' : `only ${named} has real names`;
  throw new LintError(`${older} and ${newer} can't be compared: ${why}. Collect both with the same secret.`);
}

/** Takes the evidence of one side. */
export function driftObserver(
  drift: DriftComparison,
  side: DriftSide,
  asked: NamespaceGlobs,
): EvidenceObserver<FileRun> {
  return {
    begin({ header, cluster, inventory }) {
      const { include, exclude } = header.settings;
      drift.begin(side, { cluster, inventory, globs: [asked, { include, exclude }] });
    },
    take(collected) {
      try {
        drift.take(side, collected);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new LintError(`--map: ${error.message}; give each database a name of its own.`, { cause: error });
      }
    },
  };
}

/** @throws LintError if a mapped database is not in the older file */
export function assertMapped(drift: DriftComparison, file: string): void {
  const [unused] = drift.unusedDatabases();
  if (unused === undefined) return;
  throw new LintError(`--map: ${file} has no database ${unused}. Write the name in the older file first.`);
}

/** @throws LintError if one is given twice */
export function mappedDatabases(map: readonly string[] = []): MappedDatabase[] {
  const { given } = databaseMap(map);
  const pattern = given.find(([from]) => from.includes('*'));
  if (pattern !== undefined) throw new LintError(`map: ${pattern.join('=')} needs a whole name to compare by.`);
  return given.map(([from, to]) => ({ from, to }));
}

/** Globs are given by the names in the newer run: those by the names in the older one. */
export function globsBefore(
  { include, exclude }: NamespaceGlobs,
  databases: readonly MappedDatabase[],
): NamespaceGlobs {
  const inOlder = databases.map(({ from, to }) => ({ from: to, to: from }));
  return { include: mapped(include, inOlder), exclude: mapped(exclude, inOlder) };
}

/** Globs that name a database get its other name. */
export function mapped(globs: readonly string[], databases: readonly MappedDatabase[]): string[] {
  return globs.map((glob) => mappedNamespace(glob, databases));
}
