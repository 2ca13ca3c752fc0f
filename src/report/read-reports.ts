import type { z } from 'zod';
import { REPORT_SCHEMA_VERSION } from './published-schema.js';
import { reportSchema, type Report } from './report.js';
import type { RunPart } from './run-part.js';
import { targetReportsSchema } from './target-reports.js';

/** A report that was saved as JSON. */
export interface SavedReport {
  /** Null for the only target of a run whose configuration lists none. */
  readonly alias: string | null;
  /** Null if the target could not be linted. */
  readonly report: Report | null;
  /** Why there is no report, if that is known. */
  readonly failure?: string | undefined;
}

/** What a file that was saved as JSON holds. */
export interface SavedReports {
  /** Which part of the targets they are, if --shard shared them out. */
  readonly part?: RunPart | undefined;
  readonly reports: readonly SavedReport[];
}

/**
 * The reports in a text that `--format json` wrote: of one target, or of several. What a later version added, and this one
 * does not know, is left out.
 *
 * @throws TypeError if the text is nothing of the kind: half a sentence whose subject is the file
 */
export function readReports(text: string): SavedReports {
  const value = parsedJson(text);
  const { schemaVersion, targets } = value as { schemaVersion?: unknown; targets?: unknown };
  if (schemaVersion === undefined) throw new TypeError('it was not written by --format json');
  if (schemaVersion !== REPORT_SCHEMA_VERSION)
    throw new TypeError(`its schemaVersion is not ${REPORT_SCHEMA_VERSION}, the one that this mongolint reads`);
  if (targets === undefined) {
    const report = known(reportSchema, value);
    return { reports: [{ alias: report.target ?? null, report }] };
  }
  const { part, targets: reports } = known(targetReportsSchema, value);
  return { part, reports };
}

function parsedJson(text: string): object {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON.
  }
  if (typeof value !== 'object' || value === null) throw new TypeError('it is not JSON, or is cut off');
  return value;
}

function known<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data as Value;
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') leaveOut(value, issue.path, issue.keys);
  }
  const again = schema.safeParse(value);
  if (again.success) return again.data;
  const place = again.error.issues[0]?.path.join('.') ?? '';
  throw new TypeError(`it is damaged${place === '' ? '' : ` at ${place}`}`);
}

function leaveOut(value: unknown, path: readonly PropertyKey[], keys: readonly string[]): void {
  const holder = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null)?.[key], value);
  for (const key of keys) delete (holder as Record<string, unknown>)[key];
}
