/**
 * The public face of mongolint: `import { lint, defineCheck } from 'mongolint'`. Names stay within a major version; what is
 * not exported here may change at any time.
 */
// The contract of checks, and how they write figures and names.
export * from './check.js';
export { formatBytes, formatCount, formatDuration, formatShare, plural } from './format.js';
export { sampleWindow } from './judgement/sample-window.js';
export { shellCollection } from './namespace.js';

// Plugins.
export { testCheck } from './lint/test-check.js';
export type { Plugin, PluginConfig } from './config/plugins/load-plugins.js';

// A run.
export { builtInChecks } from '../checks/index.js';
export { lint, type LintOptions, type LintProgress } from './lint/lint.js';
export { createLinter, toHaveNoFindings } from './cli/create-linter.js';
export { loadConfig } from './config/load-config.js';
export { LINT_DEFAULTS } from './lint/lint-options.js';
export { LintError } from './lint-error.js';
export type { CheckSetting, CheckSettings } from './findings/check-settings.js';

// Its report.
export type { Finding, Skipped } from './finding.js';
export { REPORT_FORMATS, renderReport, type RenderOptions, type ReportFormat } from './report/formats.js';
export { reportJsonSchema, reportSchema, type Report } from './report/report.js';
export type { TargetReport } from './report/target-reports.js';

// Suppressions, baseline and exit code.
export { applyPolicy, type Policy } from './policy/apply-policy.js';
export type { BaselineEntry } from './policy/baseline-file.js';
export { readBaseline, writeBaseline } from './policy/baseline-file.js';
export { EXIT_CODES, exitCode, type ExitCode, type ExitPolicy } from './policy/exit-code.js';
export type { TargetRun } from './policy/judged.js';
export type { Suppression } from './policy/suppression.js';
