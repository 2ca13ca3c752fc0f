import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileFault } from '../file-fault.js';
import { HISTORY_HEADER } from '../growth/history-file.js';
import { LintError } from '../lint-error.js';
import { formatBaseline } from '../policy/baseline-file.js';
import { declaredFile } from './nightly-drift.js';
import type { Kind, StoredLine } from './stored-line.js';

/** A file of the run, in a folder of its own, and its lines as they were loaded. */
export interface StateFile {
  readonly kind: Kind;
  readonly target: string;
  readonly path: string;
  readonly header: string | null;
  readonly loaded: ReadonlyMap<string, string>;
}

/** The files of a run, in a folder of their own. @throws LintError, without the folder, if they cannot be written */
export async function writeCopies(
  stored: readonly StoredLine[],
  names: readonly string[],
): Promise<{ readonly folder: string; readonly files: readonly StateFile[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'mongolint-state-')).catch(notWritten);
  const fileOf = (kind: Kind, target: string, name: string, header: string | null = null): StateFile => ({
    kind,
    target,
    path: join(folder, name),
    header,
    loaded: linesOf(stored, { kind, target }),
  });
  const files = [
    fileOf('baseline', '', 'baseline.jsonl', formatBaseline([]).trimEnd()),
    fileOf('unsent', '', 'baseline.jsonl.unsent.jsonl'),
    ...names.flatMap((target, index) => [
      fileOf('history', target, `history-${index}.jsonl`, HISTORY_HEADER),
      fileOf('declared', target, declaredFile(`history-${index}.jsonl`)),
    ]),
  ];
  try {
    for (const { path, header, loaded } of files) {
      const lines = [...(header === null ? [] : [header]), ...loaded.values()];
      if (header !== null || loaded.size > 0) await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    notWritten(error);
  }
  return { folder, files };
}

function notWritten(error: unknown): never {
  throw new LintError(`No copy of the state can be written to ${tmpdir()}: ${fileFault(error)}.`, { cause: error });
}

/** Those of a file, by their ids. */
function linesOf(
  stored: readonly StoredLine[],
  { kind, target }: Pick<StateFile, 'kind' | 'target'>,
): Map<string, string> {
  const own = stored.filter((each) => each.kind === kind && each.target === target);
  return new Map(own.map(({ _id, line }) => [_id, line]));
}
