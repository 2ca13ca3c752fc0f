import { appendFileSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PRIVATE_MODE } from '../file-replacement.js';
import { packageInfo } from '../package-root.js';
import type { Policy } from '../policy/apply-policy.js';
import type { Report } from '../report/report.js';
import type { BegunRun, JudgedPart } from '../report/unfinished-report.js';
import type { Drawing, ReportOutput } from './report-outputs.js';

export interface SpooledSettings {
  readonly outputs: readonly ReportOutput[];
  readonly aliases: readonly string[];
  readonly drawing: Drawing;
  readonly policy: Policy;
}

interface SpooledTarget {
  readonly alias?: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly isNarrowed: boolean;
  readonly maxTime: number;
}

/**
 * What a run keeps outside of itself, in this order for each target, so that what it found is reported even if it can't do
 * so. `of` is the target's place among those of the run.
 */
export type SpoolEntry =
  | { readonly kind: 'settings'; readonly settings: SpooledSettings }
  | { readonly kind: 'target'; readonly of: number; readonly target: SpooledTarget }
  | { readonly kind: 'begun'; readonly of: number; readonly run: BegunRun }
  | { readonly kind: 'judged'; readonly of: number; readonly part: JudgedPart }
  | { readonly kind: 'finished'; readonly of: number; readonly report: Report | null }
  /** From here on, the run writes its reports itself. */
  | { readonly kind: 'writing' };

/** What is kept of a run, when it begins to prepare, and that its reports are written. */
export type RunNote = SpoolEntry | { readonly kind: 'preparing' } | { readonly kind: 'reported' };

const BEGINNING = '{"kind":"spool"';
/** The second one is there in containers whose other folders are read-only. */
const FOLDERS = [tmpdir(), '/dev/shm'];

/** A file that keeps what a run finds, a JSON document a line, even if the process is killed. Only its user can read it. */
export class Spool {
  readonly file: string;
  readonly #descriptor: number;

  /** @throws an error of the system if there is no folder for it */
  constructor() {
    const folder = newFolder();
    this.file = join(folder, 'spool.jsonl');
    this.#descriptor = openSync(this.file, 'wx', PRIVATE_MODE);
    this.#append({ kind: 'spool', version: packageInfo().version });
  }

  /** Without the operations of findings: a report holds no more of them than their messages tell. */
  add(entry: SpoolEntry): void {
    if (entry.kind !== 'judged') return this.#append(entry);
    const findings = entry.part.findings.map(({ operations: _operations, ...finding }) => finding);
    this.#append({ ...entry, part: { ...entry.part, findings } });
  }

  remove(): void {
    removeSpool(this.file);
  }

  #append(line: object): void {
    appendFileSync(this.#descriptor, `${JSON.stringify({ ...line, at: Date.now() })}\n`);
  }
}

/** Removes the folder that was made for it, too. */
export function removeSpool(file: string): void {
  rmSync(dirname(file), { recursive: true, force: true });
}

/** Fresh, and for this user alone: nobody can have put a link there. */
function newFolder(): string {
  let fault: unknown;
  for (const folder of FOLDERS) {
    try {
      return mkdtempSync(join(folder, 'mongolint-'));
    } catch (error) {
      fault ??= error;
    }
  }
  throw fault;
}

export function isSpool(text: string): boolean {
  return text.startsWith(BEGINNING);
}

type SpoolLine = SpoolEntry & { readonly at: number; readonly version?: string };

/** What the text of a spool holds, but for a last line that was cut off, and the time of its last entry. */
export interface SpoolContent {
  readonly entries: readonly SpoolEntry[];
  readonly at: Date;
}

/** @throws TypeError if another version of mongolint wrote it: half a sentence whose subject is the file */
export function parseSpool(text: string): SpoolContent {
  const [header, ...entries] = text
    .slice(0, text.lastIndexOf('\n'))
    .split('\n')
    .map((line) => JSON.parse(line) as SpoolLine);
  const { version } = packageInfo();
  if (header?.version !== version)
    throw new TypeError(`it is of mongolint ${header?.version}, and this is mongolint ${version}`);
  return { entries, at: new Date(entries.at(-1)?.at ?? header.at) };
}

export function keptLine(file: string): string {
  return `What was found is kept. To see it: mongolint report ${file}\n`;
}
