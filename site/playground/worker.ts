/** Judges evidence files by mongolint's own code, away from the page, so that the page never waits. */
import { builtInChecks } from '../../checks/index.js';
import { enabledChecks, type CheckSettings } from '../../src/findings/check-settings.js';
import type { ExpectedSetting } from '../../src/findings/expected-sizes.js';
import { LintError } from '../../src/lint-error.js';
import { judgeEvidence } from '../../src/lint/judge-evidence.js';
import { OPTIONS } from '../../src/lint/options.js';
import { applyPolicy, todayInUtc } from '../../src/policy/apply-policy.js';
import { renderReport } from '../../src/report/formats.js';
import type { KnownCheck } from './settings.js';
import { files } from './shims/node.mjs';

export interface Asked {
  readonly id: number;
  /** If it is another file than before. */
  readonly file?: Blob;
  readonly name: string;
  readonly settings: CheckSettings;
  readonly expect: readonly ExpectedSetting[];
}

export type Answer =
  | { readonly id: number; readonly json: string; readonly html: string; readonly milliseconds: number }
  | { readonly id: number; readonly fault: string };

addEventListener('message', async ({ data }: MessageEvent<Asked>) => {
  const { id, file, name, settings, expect } = data;
  const begun = performance.now();
  try {
    if (file !== undefined) {
      files.clear();
      files.set(name, file);
    }
    const options = { file: name, checks: builtInChecks, settings, expect, include: [], exclude: [], map: [] };
    const run = await judgeEvidence({ ...options, maxTime: OPTIONS.maxTime.default });
    const checks = enabledChecks(builtInChecks, settings).map((check) => check.id);
    const [report] = applyPolicy([run], { checks, settings, suppressions: [], baseline: null, today: todayInUtc() });
    if (report === undefined) throw new Error('There is no report.');
    const json = await renderReport(report, 'json');
    const html = await renderReport(report, 'html');
    answer({ id, json, html, milliseconds: performance.now() - begun });
  } catch (error) {
    const fault = error instanceof LintError ? error.message : `The file can't be judged: ${String(error)}`;
    answer({ id, fault });
  }
});

function answer(one: Answer): void {
  postMessage(one);
}

postMessage({
  checks: builtInChecks.map(({ id, summary, optional, thresholds }): KnownCheck => {
    return { id, summary, thresholds, ...(optional !== undefined && { optional }) };
  }),
});
