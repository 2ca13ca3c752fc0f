import type { Document, MongoClient } from 'mongodb';
import type { Finding, Remedy } from '../../src/finding.js';
import { separated } from '../../src/findings/further-reasons.js';
import type { Report } from '../../src/report/report.js';
import { AGGREGATE, statementIn } from './printed-pipeline.js';

/** Runs the commands of the findings' remedies, as a user would. Fails where a finding has none. */
export async function runRemedies(client: MongoClient, findings: readonly Finding[]): Promise<void> {
  for (const { check, remedy } of findings) {
    if (remedy.commands === undefined) throw new Error(`The finding of ${check} has no commands to run.`);
    for (const { db, command } of remedy.commands) await client.db(db).command(command);
  }
}

/** What a later run finds that an earlier one did not, as lines: empty if no remedy in between did harm. */
export function newFindings(before: Pick<Report, 'findings'>, after: Pick<Report, 'findings'>): string[] {
  // Of several that are one finding, those that are left may be one each.
  const known = new Set(before.findings.flatMap(separated).map(({ fingerprint }) => fingerprint));
  return after.findings
    .flatMap(separated)
    .filter(({ fingerprint }) => !known.has(fingerprint))
    .map(({ severity, check, namespace, path, message }) => `${severity} ${check} ${namespace} ${path}: ${message}`);
}

/** An aggregation that steps of a remedy show, beside its commands: where it runs, and its stages. The first one unless given. */
export function aggregationIn(
  { steps }: Remedy,
  position = 0,
): { readonly collection: string; readonly pipeline: Document[] } {
  const shown = steps.flatMap(({ code }) => {
    const found = statementIn(code ?? '', AGGREGATE);
    return found === null ? [] : [{ collection: found.collection, pipeline: JSON.parse(found.text) as Document[] }];
  });
  const aggregation = shown[position];
  if (aggregation === undefined) throw new Error(`No aggregation ${position} in: ${JSON.stringify(steps)}`);
  return aggregation;
}
