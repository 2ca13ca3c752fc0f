/** The library face of mongolint: `import { lint, defineCheck } from 'mongolint'`. */
export { builtInChecks } from '../checks/index.js';
export * from './check.js';
export { EXIT_CODES, exitCode, type ExitCode, type ExitPolicy } from './findings/exit-code.js';
export type { Finding, Skipped } from './findings/finding.js';
export { lint, LINT_DEFAULTS, type LintOptions, type LintProgress } from './lint.js';
export { LintError } from './lint-error.js';
export { reportJsonSchema, reportSchema, type Report } from './report/report.js';
