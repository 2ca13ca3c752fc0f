import { writeEvidence } from '../../src/evidence-file/write-evidence.js';
import { withExpectedSizes } from '../../src/findings/expected-sizes.js';
import { judgeEvidence } from '../../src/lint/judge-evidence.js';
import { judgeRun } from '../../src/lint/judge.js';
import { withLiveRun, type OpenRun } from '../../src/lint/open-run.js';
import type { Report } from '../../src/report/report.js';
import { EVIDENCE_SETTINGS } from './evidence-runs.js';
import { recordedRun } from './recorded-run.js';

/** The report of a run, and that of the file which it was written to. */
export async function bothReports(
  uri: string,
  file: string,
): Promise<{ readonly linted: Report; readonly judged: Report }> {
  const read = async ({ run: live, ...judging }: OpenRun): Promise<Report> => {
    const { run, again } = recordedRun(live);
    await writeEvidence(file, {
      run,
      plan: judging.plan,
      collections: live.inventory.collections.length,
      settings: EVIDENCE_SETTINGS,
      onCollection: () => {},
      onCluster: () => {},
    });
    return judgeRun(again, {
      ...judging,
      include: [],
      sized: withExpectedSizes([]),
      onFault: () => {},
      onJudged: () => {},
    });
  };
  const linted = await withLiveRun({ uri }, read, true);
  const { report: judged } = await judgeEvidence({ file });
  return { linted, judged };
}
