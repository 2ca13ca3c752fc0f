import { z } from 'zod';
import { fileFault } from '../files/file-fault.js';
import { KeptFile, type KeptText } from '../files/kept-text.js';
import { acceptanceSchema } from '../finding.js';
import { lookForSchema } from '../finding/look-for.js';
import { SEVERITIES } from '../finding/severity.js';
import { LintError } from '../lint-error.js';
import { terminalJson } from '../text/terminal-text.js';

/** Version of the file's format. A newer one is refused. */
const BASELINE_VERSION = 1;

/** Some 250,000 findings. */
const MOST_BYTES = 64 * 1024 * 1024;

const headerSchema = z.object({ mongolint: z.literal('baseline'), version: z.int().positive() });

const sampleSchema = z.strictObject({
  documents: z.int().nonnegative(),
  /** Documents of the collection; null if that was not known. */
  of: z.int().nonnegative().nullable(),
  /** How they were chosen, as in the report. */
  method: z.string(),
  /** How many of the sampled documents showed it, if each of them does so by itself. */
  showing: z.int().nonnegative().optional(),
});

const recordSchema = z.strictObject({
  /** As in the evidence: "profiler". */
  source: z.string(),
  /** Time between its first and last operation, in ms. */
  duration: z.number().nonnegative(),
});

const entrySchema = z.strictObject({
  /** Alias of the target that it was found in; absent if the run had no named targets. */
  target: z.string().optional(),
  namespace: z.string(),
  check: z.string(),
  path: z.string().nullable(),
  severity: z.enum(SEVERITIES),
  /** See the finding: how severe it may be within the error of its sample. */
  severityIfSure: z.enum(SEVERITIES).optional(),
  fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
  /** Absent if it rests on no sample. */
  sample: sampleSchema.optional(),
  /** Absent if it rests on no recorded operations. */
  record: recordSchema.optional(),
  /** What shows it by itself. Absent if it can't be searched for. */
  lookFor: lookForSchema.optional(),
  /** Who accepted it, why, and until when; absent if `--update-baseline` did. */
  accepted: acceptanceSchema.optional(),
});

/** The sample in which a finding was seen. */
export type SampleOfFinding = Readonly<z.infer<typeof sampleSchema>>;
/** The record of operations in which a finding was seen. */
export type RecordOfFinding = Readonly<z.infer<typeof recordSchema>>;
export type Acceptance = z.infer<typeof acceptanceSchema>;
/** A finding that is known and accepted. */
export type BaselineEntry = Readonly<z.infer<typeof entrySchema>>;

export function baselineIn(file: string): KeptText {
  return new KeptFile(file, MOST_BYTES);
}

/**
 * Reads a baseline: JSON lines, the first one the header, then one line for each finding.
 *
 * @param kept the name of its file, or wherever it is kept
 * @returns null if there is none
 * @throws LintError if it is something else, damaged, or of a newer version
 */
export async function readBaseline(kept: string | KeptText): Promise<BaselineEntry[] | null> {
  const baseline = typeof kept === 'string' ? baselineIn(kept) : kept;
  try {
    const text = await baseline.read();
    return text === null ? null : parseBaseline(text, baseline.name);
  } catch (error) {
    if (error instanceof LintError) throw error;
    throw new LintError(`The baseline ${baseline.name} can't be read: ${fileFault(error)}.`, { cause: error });
  }
}

/** Parses the text of a baseline; `file` is its name in errors. Throws as {@link readBaseline} does. */
export function parseBaseline(text: string, file: string): BaselineEntry[] {
  const [first = '', ...lines] = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const header = headerSchema.safeParse(parsedJson(first));
  if (!header.success) {
    throw new LintError(
      `${file} is not a mongolint baseline: its first line is not {"mongolint":"baseline",…}. It was not changed.`,
    );
  }
  if (header.data.version > BASELINE_VERSION) {
    const { version } = header.data;
    throw new LintError(
      `The baseline ${file} is of version ${version}, from a newer mongolint; this one reads version ${BASELINE_VERSION}.`,
    );
  }
  // Every line ends in a newline, so the last piece is empty; a torn line is not JSON, or lacks its newline.
  if (lines.pop() !== '') throw damaged(file, lines.length + 2);
  return lines.map((line, index) => {
    const entry = entrySchema.safeParse(parsedJson(line));
    if (!entry.success) throw damaged(file, index + 2);
    return entry.data;
  });
}

/** The text of a baseline: sorted, a line for each entry, so that two branches merge line by line. */
export function formatBaseline(entries: readonly BaselineEntry[]): string {
  const lines = entries.map((entry) => terminalJson(JSON.stringify(entrySchema.parse(entry))));
  const sorted = [...new Set(lines)].sort();
  return `${[JSON.stringify({ mongolint: 'baseline', version: BASELINE_VERSION }), ...sorted].join('\n')}\n`;
}

/**
 * Writes a baseline whole or not at all.
 *
 * @throws LintError if it can't be written; the file is then as it was.
 */
export function writeBaseline(file: string, entries: readonly BaselineEntry[]): Promise<void> {
  return changeBaseline(baselineIn(file), () => entries);
}

/**
 * Replaces a baseline by what `change` makes of it as it is by then, empty if there is none.
 *
 * @throws LintError if it can't be written, or read; it is then as it was
 */
export async function changeBaseline(
  kept: KeptText,
  change: (entries: readonly BaselineEntry[]) => readonly BaselineEntry[],
): Promise<void> {
  try {
    await kept.change((now) => formatBaseline(change(now === null ? [] : parseBaseline(now, kept.name))));
  } catch (error) {
    if (error instanceof LintError) throw error;
    throw new LintError(`The baseline ${kept.name} can't be written: ${fileFault(error)}.`, { cause: error });
  }
}

/** True for a line that holds an entry. */
export function isBaselineLine(line: string): boolean {
  return entrySchema.safeParse(parsedJson(line)).success;
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function damaged(file: string, line: number): LintError {
  return new LintError(
    `${file}:${line}: this line is corrupt or contains merge-conflict markers: fix it, or restore the file.`,
  );
}
