import type { EvidenceRun } from '../../src/evidence/evidence-run.js';
import { writeEvidence } from '../../src/evidence-file/write-evidence.js';
import { resolvedSettings } from '../../src/findings/check-settings.js';
import { withExpectedSizes } from '../../src/findings/expected-sizes.js';
import { evidencePlan } from '../../src/findings/needed-evidence.js';
import { judgeRun } from '../../src/lint/judge.js';
import { LINT_DEFAULTS } from '../../src/lint/lint-options.js';
import { checksOf } from '../../src/lint/reading-options.js';
import type { Report } from '../../src/report/report.js';

/** The report on a run with the built-in checks. A check that fails ends the bench. */
export async function judgedRun(run: EvidenceRun): Promise<Report> {
  const settings = resolvedSettings({});
  const checks = await checksOf({});
  return judgeRun(run, {
    checks,
    settings,
    plan: evidencePlan(checks, settings),
    include: [],
    sized: withExpectedSizes([]),
    onFault(check, namespace, error) {
      throw new Error(`${check} failed on ${namespace}.`, { cause: error });
    },
    onJudged: () => {},
  });
}

/** Writes the evidence of a run to a file, as `mongolint collect` does. */
export async function writeRun(file: string, run: EvidenceRun, collections: number): Promise<void> {
  const { kept } = evidencePlan(await checksOf({}), resolvedSettings({}));
  const { sampleSize, sampleBytes, concurrency, timeout, maxTime } = LINT_DEFAULTS;
  await writeEvidence(file, {
    run,
    plan: { kept },
    settings: { include: [], exclude: [], sampleSize, sampleBytes, deep: false, concurrency, timeout, maxTime },
    collections,
    onCollection: () => {},
    onCluster: () => {},
  });
}
