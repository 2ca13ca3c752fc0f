/** Real applications, driven as their documentation shows, and every finding on them read and judged. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import type { Finding } from '../../src/finding.js';
import { lint, type LintOptions } from '../../src/lint/lint.js';
import { compareTexts } from '../../src/text/compare-texts.js';
import { lintRecorded } from '../oracle/recording.js';
import { startReplicaSet } from '../support/servers.js';
import type { Application, LabelledFinding, Verdict } from './application.js';
import { APPLICATIONS } from './cases/index.js';
import { driveApplication } from './installed-application.js';
import { faultsOf, type Outcome, outcomeOf, reportsOf, soundDesignsOf } from './outcome.js';

/** Longest wait for a read: nothing may be skipped because the machine is busy. */
const PATIENCE_MS = 120_000;
/** Of system.profile, which docs/in-a-build.md advises. */
const PROFILE_BYTES = 256 * 1024 * 1024;
const ALL_OPERATIONS = 2;
/** Of all findings, fewer than this share may be noise. */
const NOISE_SHARE = 1 / 5;

type ToCompare = Pick<LabelledFinding, 'check' | 'collection' | 'path' | 'severity'>;

const shown = ({ check, collection, path, severity }: ToCompare) =>
  [severity, check, collection ?? '-', path ?? '-'].join(' ');

const labelled = APPLICATIONS.filter((application) => faultsOf(application).length > 0);
const labels = APPLICATIONS.flatMap(({ findings }) => findings);
const share = (verdict: Verdict) => labels.filter((label) => label.verdict === verdict).length / labels.length;

describe('applications that people run', () => {
  let server: Awaited<ReturnType<typeof startReplicaSet>>;
  let client: MongoClient;

  beforeAll(async () => {
    // As docs/in-a-build.md shows.
    server = await startReplicaSet({ args: ['--profile', String(ALL_OPERATIONS), '--slowms', '0'] });
    client = new MongoClient(server.uri);
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  const reading = (name: string): LintOptions => ({
    uri: server.uri,
    include: [`${name}.*`],
    timeout: PATIENCE_MS,
    maxTime: 10 * PATIENCE_MS,
  });

  describe.each(APPLICATIONS.map((application) => [application.name, application] as const))(
    '%s',
    (name, application) => {
      let findings: readonly Finding[];

      beforeAll(async () => {
        await recordAll(client, name);
        await driveApplication(application, uriOf(server.uri, name));
        const report = await lintRecorded(`applications/${name}`, reading(name));
        ({ findings } = report);
        // To be read and labelled, when an application is added: MONGOLINT_SHOW=1.
        if (process.env['MONGOLINT_SHOW'] !== undefined) process.stderr.write(described(application, report));
      });

      it('has these findings, no other', () => {
        expect(findings.map((finding) => shown(asLabelled(finding))).sort()).toEqual(
          application.findings.map(shown).sort(),
        );
      });

      it.each(['second', 'third'])('has the same findings in a %s run', async () => {
        // In no order: it hangs on sizes of indexes, which change as the server writes its files.
        const again = (await lint(reading(name))).findings;
        expect(inNoOrder(again.map(verdictOf))).toEqual(inNoOrder(findings.map(verdictOf)));
      });
    },
  );
});

describe('the findings as they were judged', () => {
  it('hold nothing wrong', () => {
    expect(labels.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
  });

  it('hold little noise', () => {
    expect(share('noise')).toBeLessThan(NOISE_SHARE);
  });
});

it('are counted in README.md', () => {
  const page = readFileSync(join(packageRoot(), 'test', 'applications', 'README.md'), 'utf8').replaceAll(/ +/g, ' ');
  const rows = [...APPLICATIONS.map(row), totals(), ...labelled.map(outcomeRow), outcomeTotals()];
  expect(rows.filter((line) => !page.includes(line))).toEqual([]);
});

function counts(of: readonly LabelledFinding[]): string {
  const VERDICTS: readonly Verdict[] = ['useful', 'noise', 'wrong'];
  return VERDICTS.map((verdict) => of.filter((label) => label.verdict === verdict).length).join(' | ');
}

function row({ name, kind, packages, findings }: Application): string {
  const [[first = '', version = ''] = []] = Object.entries(packages);
  return `| ${name} | ${kind} | ${first} ${version} | ${counts(findings)} |`;
}

function outcomeCounts(of: readonly Application[]): string {
  const OUTCOMES: readonly Outcome[] = ['at its severity', 'lower', 'higher', 'missed'];
  const outcomes = of.flatMap((application) =>
    faultsOf(application).map((fault) => outcomeOf(fault, application.findings)),
  );
  const silent = of.flatMap((application) =>
    soundDesignsOf(application).map((design) => reportsOf(design, application.findings).length === 0),
  );
  return [
    outcomes.length,
    ...OUTCOMES.map((outcome) => outcomes.filter((one) => one === outcome).length),
    silent.length,
    silent.filter(Boolean).length,
  ].join(' | ');
}

const outcomeRow = (application: Application) => `| ${application.name} | ${outcomeCounts([application])} |`;

const outcomeTotals = () => `| all | ${outcomeCounts(labelled)} |`;

const totals = () => `| all | | | ${counts(labels)} |`;

async function recordAll(client: MongoClient, name: string): Promise<void> {
  const database = client.db(name);
  await database.command({ profile: 0 });
  await database.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
  await database.command({ profile: ALL_OPERATIONS });
}

function uriOf(server: string, database: string): string {
  const uri = new URL(server);
  uri.pathname = `/${database}`;
  return uri.href;
}

function asLabelled({ check, namespace, path, severity }: Finding): ToCompare {
  const [, collection = null] = /^[^.]+\.(.*)$/.exec(namespace) ?? [];
  return { check, collection, path, severity };
}

const verdictOf = ({ fingerprint, severity, confidence }: Finding) => ({ fingerprint, severity, confidence });

function inNoOrder(verdicts: readonly ReturnType<typeof verdictOf>[]): readonly ReturnType<typeof verdictOf>[] {
  return verdicts.toSorted((one, other) => compareTexts(one.fingerprint, other.fingerprint));
}

function described({ name }: Application, report: Awaited<ReturnType<typeof lint>>): string {
  const lines = report.findings.map(
    (finding) =>
      `${shown(asLabelled(finding))} (${finding.confidence})\n    ${finding.title}\n    ${finding.message}\n`,
  );
  const skipped = report.skipped.map(
    ({ check, namespace, reason, detail }) => `  ${check} ${namespace ?? '-'} ${reason}: ${detail}\n`,
  );
  const shapes = (report.topShapes ?? []).map(
    ({ namespace, shape, executions, documentsExamined, keysExamined, returned, why, ...of }) =>
      `  ${namespace}: ${shape}\n    ${executions} x ${of.milliseconds} ms, ${documentsExamined} documents and ${keysExamined} keys for ` +
      `${returned}: ${
        why ??
        report.findings
          .filter(({ fingerprint }) => of.findings.includes(fingerprint))
          .map(({ check }) => check)
          .join(', ')
      }\n`,
  );
  return [`\n== ${name}\n`, ...lines, ' not judged:\n', ...skipped, ' costliest shapes:\n', ...shapes].join('');
}
