import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../src/finding.js';
import { separated } from '../src/findings/further-reasons.js';
import { judgeEvidence } from '../src/lint/judge-evidence.js';
import type { Outcome } from '../test/applications/outcome.js';
import type { BadDesign, Design } from '../test/designs/design.js';
import { DESIGNS } from '../test/designs/index.js';
import { findingsOf, isThere, outcomeOf as outcomeOfDesign } from '../test/designs/outcome.js';
import type { Incident } from '../test/incidents/incident.js';
import { ROUNDS } from '../test/incidents/index.js';
import { outcomeOf as outcomeOfIncident } from '../test/incidents/outcome.js';
import type { OtherFinding } from './other-programs.js';

const EVIDENCE = 'test/oracle/evidence';
const RANK = { info: 0, warning: 1, error: 2 };

/** A database that is planted, with labels and what mongolint finds in the evidence that was recorded of it. */
export interface LabelledCase extends Pick<Design, 'name' | 'plant' | 'use'> {
  /** None if the design is sound. */
  readonly faults: readonly {
    readonly outcome: Outcome;
    /** Whether a finding of another program names the fault. */
    isNamedBy(finding: OtherFinding): boolean;
  }[];
  readonly findings: readonly Finding[];
}

export interface Ground {
  readonly theme: string;
  readonly cases: readonly LabelledCase[];
}

/** Null if the case has no recorded evidence. */
export async function recordedFindings(name: string): Promise<readonly Finding[] | null> {
  const file = join(EVIDENCE, `${name}.evidence.jsonl.gz`);
  return existsSync(file) ? (await judgeEvidence({ file, settings: {} })).report.findings : null;
}

/** The bad designs and their well-designed twins. */
export async function designs(): Promise<Ground[]> {
  const found = (await recordedFindings('designs')) ?? [];
  const all = found.flatMap(separated);
  const faultOf = (design: BadDesign) => ({
    outcome: outcomeOfDesign(design, all),
    isNamedBy: ({ checks, collection }: OtherFinding) =>
      isThere(design, collection || null) && checks.some((check) => design.expected.checks.includes(check)),
  });
  return DESIGNS.map(({ theme, bad, good }) => ({
    theme,
    cases: [
      ...bad.map((design) => ({ ...design, faults: [faultOf(design)], findings: findingsOf(design, found) })),
      ...good.map((design) => ({ ...design, faults: [], findings: findingsOf(design, found) })),
    ],
  }));
}

/** The public incidents, and what looked like one and was sound. */
export async function incidents(): Promise<Ground[]> {
  const grounds: Ground[] = [];
  for (const { theme, incidents: ofRound } of ROUNDS) {
    const cases: LabelledCase[] = [];
    for (const incident of ofRound) {
      const findings = await recordedFindings(`incidents/${incident.name}`);
      if (findings === null) continue;
      const all = findings.flatMap(separated);
      const faults = incident.faults.map((fault) => ({
        outcome: told(incident, fault, all),
        isNamedBy: (finding: OtherFinding) => names(finding, fault),
      }));
      cases.push({ ...incident, faults, findings });
    }
    grounds.push({ theme, cases });
  }
  return grounds;
}

type Fault = Incident['faults'][number];

function told({ name }: Incident, fault: Fault, findings: readonly Finding[]): Outcome {
  const severity = outcomeOfIncident(name, fault, findings);
  if (severity === 'missed') return 'missed';
  if (severity === fault.severity) return 'at its severity';
  return RANK[severity] > RANK[fault.severity] ? 'higher' : 'lower';
}

/** By the collection, and by what the label wants named; a missing index is named by the collection alone. */
function names({ collection, checks, text }: OtherFinding, { collection: faulty, about, cure }: Fault): boolean {
  if (checks.length === 0) return false;
  const wantsIndex = cure.includes('createIndex') && checks.includes('collection-scan');
  if (collection === faulty && wantsIndex) return true;
  return text.includes(faulty) && text.includes(about);
}
