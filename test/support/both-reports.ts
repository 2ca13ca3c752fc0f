import { writeEvidence } from '../../src/evidence-file/write-evidence.js';
import { withExpectedSizes } from '../../src/findings/expected-sizes.js';
import { judgeEvidence } from '../../src/lint/judge-evidence.js';
import { judgeRun } from '../../src/lint/judge.js';
import type { LintOptions } from '../../src/lint/lint.js';
import { withLiveRun, type OpenRun } from '../../src/lint/open-run.js';
import type { Report } from '../../src/report/report.js';
import { EVIDENCE_SETTINGS } from './evidence-runs.js';
import { recordedRun } from './recorded-run.js';

/** How a run is read and what else it is written to. */
export interface BothReportsOptions {
  /** What is read, and how it is judged both times. */
  readonly reading?: Pick<LintOptions, 'include' | 'settings' | 'timeout'>;
  /** Writes the same run again, from memory. */
  readonly also?: (written: Parameters<typeof writeEvidence>[1]) => Promise<unknown>;
}

/** The report of a run, and that of the file which it was written to. */
export async function bothReports(
  uri: string,
  file: string,
  { reading = {}, also }: BothReportsOptions = {},
): Promise<{ readonly linted: Report; readonly judged: Report }> {
  const read = async ({ run: live, ...judging }: OpenRun): Promise<Report> => {
    const { run, again } = recordedRun(live);
    const written = {
      plan: judging.plan,
      collections: live.inventory.collections.length,
      settings: EVIDENCE_SETTINGS,
      onCollection: () => {},
      onCluster: () => {},
    };
    await writeEvidence(file, { ...written, run });
    await also?.({ ...written, run: again });
    return judgeRun(again, {
      ...judging,
      include: [],
      sized: withExpectedSizes([]),
      onFault: () => {},
      onJudged: () => {},
    });
  };
  const linted = await withLiveRun({ uri, ...reading }, read, { isCarried: true });
  const { report: judged } = await judgeEvidence({ file, settings: reading.settings ?? {} });
  return { linted, judged };
}
