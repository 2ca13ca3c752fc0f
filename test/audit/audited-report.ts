import type { Db, Document } from 'mongodb';
import type { Finding } from '../../src/finding.js';
import { separated } from '../../src/findings/further-reasons.js';
import { nameOf } from '../../src/namespace.js';
import type { Report } from '../../src/report/report.js';
import { AUDITS } from './audits.js';
import type { Audited } from './kinds-of-audit.js';
import { unsupportedNumbers } from './message-numbers.js';
import { recomputed, type Recomputed } from './recomputed.js';

/** Checks whose evidence is not recomputed here, and why. */
export const NOT_RECOMPUTED: ReadonlyMap<string, string> = new Map();

const TEXTS = new Set(['source', 'window', 'distribution', 'ids']);

export interface AuditResult {
  /** A sentence for each figure that is not what it says, or that nobody audits. */
  readonly wrong: readonly string[];
  /** Figures that were recomputed. */
  readonly audited: number;
}

export async function auditedReport(report: Report, database: Db): Promise<AuditResult> {
  const known = new Map<string, Promise<Recomputed>>();
  const other = (namespace: string): Promise<Recomputed> => {
    const its = known.get(namespace) ?? recomputed(database, nameOf(namespace));
    known.set(namespace, its);
    return its;
  };
  const wrong: string[] = [];
  let audited = 0;
  for (const finding of report.findings.flatMap(separated)) {
    if (NOT_RECOMPUTED.has(finding.check)) continue;
    const it: Audited = {
      ...(await other(finding.namespace)),
      finding,
      collection: report.collections.find(({ namespace }) => namespace === finding.namespace),
      other,
      profiled: await profiledFor(finding, database),
      profiledOn: (namespace) => profiledOn(namespace, database),
    };
    const place = `${finding.check} ${finding.namespace} ${finding.path ?? ''}`;
    for (const [key, value] of Object.entries(finding.evidence)) {
      if (TEXTS.has(key) || value === undefined) continue;
      const audit = AUDITS[finding.check]?.[key];
      const fault = audit === undefined ? 'nobody audits it' : value === null ? null : await audit(value, it);
      audited += 1;
      if (fault !== null) wrong.push(`${place}: ${key} ${JSON.stringify(value)}: ${fault}`);
    }
    for (const number of unsupportedNumbers(finding))
      wrong.push(`${place}: the message says ${number}, the evidence does not`);
  }
  return { wrong, audited };
}

/** The entries of the profiler that a finding is about: those of one command, which the exhibits run alone. */
function profiledFor({ namespace, evidence: { queries } }: Finding, database: Db): Promise<Document[]> {
  const isFind = JSON.stringify(queries ?? '').includes('find');
  const finds = ['command.find', 'originatingCommand.find'].map((command) => ({ [command]: { $exists: true } }));
  return profiledOn(namespace, database, isFind ? { $or: finds } : {});
}

function profiledOn(namespace: string, database: Db, filter: Document = {}): Promise<Document[]> {
  return database
    .collection('system.profile')
    .find({ ns: namespace, appName: { $ne: 'mongolint' }, ...filter })
    .toArray();
}
