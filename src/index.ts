/** The library face of mongolint: `import { lint, defineCheck } from 'mongolint'`. */
export { builtInChecks } from '../checks/index.js';
export * from './check.js';
export { formatBytes, formatCount, formatDuration, formatShare, plural } from './format.js';
export { sampleWindow } from './judgement/sample-window.js';
export { shellCollection } from './shell-collection.js';
export { EXIT_CODES, exitCode, type ExitCode, type ExitPolicy } from './policy/exit-code.js';
export type { Finding, Skipped } from './finding.js';
export { lint, LINT_DEFAULTS, type LintOptions, type LintProgress } from './lint/lint.js';
export { LintError } from './lint-error.js';
export type { Plugin, PluginConfig } from './config/plugins/plugin.js';
export { applyPolicy, type Policy } from './policy/apply-policy.js';
export type { BaselineEntry } from './policy/baseline.js';
export { readBaseline, writeBaseline } from './policy/baseline-file.js';
export type { CheckSetting, CheckSettings } from './findings/check-settings.js';
export type { TargetRun } from './policy/judged.js';
export type { Suppression } from './policy/suppression.js';
export { reportJsonSchema, reportSchema, type Report } from './report/report.js';
export { REPORT_FORMATS, renderReport, type RenderOptions, type ReportFormat } from './report/formats.js';
