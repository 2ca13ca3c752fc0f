import { failingSeverities, type FailOn } from '../finding/severity.js';
import { lint, type LintOptions } from '../lint/lint.js';
import { applyPolicy } from '../policy/apply-policy.js';
import { isActive } from '../report/finding-status.js';
import { placeOf } from '../report/finding-view.js';
import type { Report } from '../report/report.js';
import { failuresOf } from '../report/run-failure.js';
import { terminalText } from '../text/terminal-text.js';

export interface LinterOptions extends Partial<Omit<LintOptions, 'uri' | 'checks' | 'settings'>> {
  /** Configuration file; false for none. Looked for from `cwd` upwards if absent. */
  readonly config?: string | false;
  /** The process's own if absent. */
  readonly cwd?: string;
}

/** Lints a server, such as that of a test. With another include, it is narrowed to that. @throws LintError as `lint` does */
export type Linter = (uri: string, options?: Partial<LintOptions>) => Promise<Report>;

/**
 * A linter with the checks, settings, expected sizes, suppressions and baseline of a configuration, as the command has them.
 * What is given here wins over it, and what is given to a call wins over both.
 *
 * @throws LintError if the configuration is wrong
 */
export async function createLinter({ config, cwd = process.cwd(), ...given }: LinterOptions = {}): Promise<Linter> {
  // Loaded with the first linter: they bring the command's options.
  const { loadedSettings } = await import('./run-settings.js');
  const { lintOptions } = await import('./lint-targets.js');
  const { policyOf } = await import('./run-policy.js');
  const { baselineOf } = await import('./run-policy.js');
  const { fileKeeping } = await import('./keeping.js');
  const silent = { write: () => undefined };
  const stderr = { write: (line: string) => process.emitWarning(line.trimEnd()) };
  const io = { stdout: silent, stderr, env: process.env, cwd: () => cwd };
  const settings = await loadedSettings(config === undefined ? {} : { config: config as string }, io);
  const { resolved, expect } = settings;
  const { checks, settings: ofChecks } = settings.config;
  return async (uri, options = {}) => {
    const all = { ...lintOptions(resolved.values, cwd), expect, ...given, ...options };
    const report = await lint({ ...all, uri, checks, settings: ofChecks });
    const { include = [], exclude = [] } = all;
    const baseline = await baselineOf(resolved.values, fileKeeping(resolved.values, cwd).baseline);
    const policy = policyOf(settings, baseline);
    const [judged] = applyPolicy([{ report, include, exclude, isNarrowed: true }], policy) as [Report];
    return judged;
  };
}

/**
 * A matcher for `expect.extend` of jest and vitest: no finding at or above a severity counts, and the run is no failed one.
 *
 * @param failOn lowest severity that counts
 */
export function toHaveNoFindings(
  report: Report,
  failOn: Exclude<FailOn, 'drift'> = 'warning',
): { readonly pass: boolean; readonly message: () => string } {
  const failing = failingSeverities(failOn, null, 0);
  const counting = report.findings.filter((finding) => isActive(finding) && failing.has(finding.severity));
  const failures = failuresOf(report).map(({ detail }) => `Not linted to the end: ${detail}`);
  const lines = [
    ...failures,
    ...counting.map((finding) =>
      terminalText(`${finding.severity}: ${placeOf(finding)}: ${finding.message} (${finding.check})`),
    ),
  ];
  return {
    pass: lines.length === 0,
    message: () =>
      lines.length === 0
        ? `There is no finding from ${failOn} on.`
        : `${lines.join('\n')}\nmongolint explain CHECK says more of each.`,
  };
}
