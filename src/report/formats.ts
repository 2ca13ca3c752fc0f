import { LintError } from '../lint-error.js';
import { terminalText } from '../text/terminal-text.js';
import type { FleetOverview } from './fleet/fleet-overview.js';
import { RENDER_DEFAULTS, type RenderOptions, type SharingOptions } from './report-options.js';
import type { Report } from './report.js';
import type { FailedTarget, FleetReports, TargetReport } from './target-reports.js';

export type { RenderOptions } from './report-options.js';

/** A report format: built in, or from a plugin. */
export interface ReportFormat {
  /** What `--format` takes, in kebab-case. */
  readonly name: string;
  /** How it is used, as half a sentence in Markdown. */
  readonly description: string;
  /** Extension of its files, without the dot. */
  readonly extension: string;
  /** The report as text. */
  render(report: Report, options: RenderOptions): string | Promise<string>;
  /** The text for a target that could not be linted. Absent if it has no text then, and its file stays as it is. */
  renderFailure?(failed: FailedTarget): string | Promise<string>;
  /** The reports of several targets as one text. Absent if a text of this format holds one report only. */
  renderTargets?(targets: readonly TargetReport[], options: RenderOptions): string | Promise<string>;
  /** Many targets as one text, in pieces that need not fit into memory together: an overview, and what else there is room for. */
  renderFleet?(overview: FleetOverview, reports: FleetReports, options: RenderOptions): AsyncIterable<string>;
  /** True if the text of a part of the targets says which part it is, so that it has one even without targets. */
  readonly namesPart?: true;
}

type Renderer = (report: Report, options: RenderOptions & SharingOptions) => string;

/** The built-in formats. The code of each is loaded only if it is asked for. */
export const REPORT_FORMATS: readonly ReportFormat[] = [
  {
    name: 'table',
    description: "read it in the terminal or in the job's log",
    extension: 'txt',
    ...joined(async () => (await import('./table.js')).renderTable),
    renderFleet: overviewOnly(async () => (await import('./table.js')).renderFleetTable),
  },
  {
    name: 'compact',
    description: 'one line for each finding, the worst last: for a terminal, `grep` and `awk`',
    extension: 'txt',
    ...joined(async () => (await import('./compact.js')).renderCompact),
    async *renderFleet(overview, reports) {
      yield* (await import('./compact.js')).compactPieces(overview, reports);
    },
  },
  {
    name: 'json',
    description: 'the whole report, for programs of your own; see below',
    extension: 'json',
    render: async (report) => (await import('./json.js')).renderJson(report),
    renderTargets: async (targets, { part }) =>
      (await import('./target-reports.js')).renderTargetReports(targets, part),
    async *renderFleet(overview, reports) {
      yield* (await import('./target-reports.js')).documentPieces(overview, reports);
    },
    namesPart: true,
  },
  {
    name: 'markdown',
    description:
      "post it as a comment on the merge request: `gh pr comment --body-file report.md`; it stays below GitHub's limit of 65,536 characters, and a job finds its comment again by the first line, `<!-- mongolint -->`",
    extension: 'md',
    ...joined(
      async () => (await import('./markdown.js')).renderMarkdown,
      (failed) => failedMarkdown(failed),
    ),
    renderFailure: (failed) => failedMarkdown(failed),
    renderFleet: overviewOnly(async () => (await import('./markdown.js')).renderFleetMarkdown),
  },
  {
    name: 'html',
    description:
      'keep it as an artifact and open it: one file that needs no network, with filter, search, plots and a link to each finding',
    extension: 'html',
    render: async (report, options) => (await import('./html/html-report.js')).renderHtml(report, options),
    renderFailure: async (failed) => (await import('./html/html-report.js')).renderFailedHtml(failed),
    renderFleet: overviewOnly(async () => (await import('./html/html-report.js')).renderFleetHtml),
  },
  {
    name: 'sarif',
    description:
      'upload it with `github/codeql-action/upload-sarif`: alerts that GitHub follows by fingerprint, at the line of the source with `--code`, or else at the config file',
    extension: 'sarif',
    render: async (report, options) => (await import('./sarif.js')).renderSarif(report, options),
    renderFailure: async (failed) => (await import('./sarif.js')).renderFailedSarif(failed),
  },
  {
    name: 'junit',
    description:
      'pass it to the test report of Jenkins, GitLab or any other: a failure for each finding that fails the run (`--fail-on`, `--max-warnings`), a passed test for the others, a skipped one for what was not judged',
    extension: 'xml',
    render: async (report, options) => (await import('./junit.js')).renderJunit(report, options),
    renderFailure: async (failed) => (await import('./junit.js')).renderFailedJunit(failed),
  },
  {
    name: 'github',
    description: 'print it in a step of GitHub Actions: annotations, the worst ten of each level, and a summary',
    extension: 'txt',
    ...joined(
      async () => (await import('./github.js')).renderGithub,
      async (failed) => (await import('./github.js')).renderFailedGithub(failed),
    ),
  },
  {
    name: 'gitlab',
    description:
      '`artifacts: reports: codequality: report.json`: GitLab shows what a merge request adds and fixes; what was not judged is in the other reports',
    extension: 'json',
    render: async (report, options) => (await import('./gitlab.js')).renderGitlab(report, options),
  },
  {
    name: 'mongosh',
    description:
      'read it, then run it with `mongosh URI --file remedies.js`: the commands of all remedies that anybody may run and take back, each with its reason, its check and its rollback',
    extension: 'js',
    render: async (report) => (await import('./mongosh.js')).renderMongosh(report),
  },
  {
    name: 'migration',
    description:
      'the same as a file of migrate-mongo with `up` and `down`, and as the lines that declare the indexes with mongoose',
    extension: 'js',
    render: async (report) => (await import('./migration.js')).renderMigration(report),
  },
  {
    name: 'prometheus',
    description:
      'write it to the folder of the node exporter\'s textfile collector; alert on `mongolint_up == 0`, on `mongolint_findings{severity="error"} > 0` and on `time() - mongolint_run_timestamp_seconds`',
    extension: 'prom',
    render: async (report) => (await import('./prometheus.js')).renderPrometheus(report),
    renderFailure: async (failed) => (await import('./prometheus.js')).renderFailedPrometheus(failed),
  },
];

/**
 * Renders a report.
 *
 * @param format the name of a built-in format, or a format of your own
 * @throws LintError if no built-in format has that name
 */
export async function renderReport(
  report: Report,
  format: string | ReportFormat,
  options: Partial<RenderOptions> = {},
): Promise<string> {
  const { render } = typeof format === 'string' ? builtInFormat(format) : format;
  return render(report, { ...RENDER_DEFAULTS, ...options });
}

function builtInFormat(name: string): ReportFormat {
  const format = REPORT_FORMATS.find((each) => each.name === name);
  if (format !== undefined) return format;
  throw new LintError(`Unknown format "${name}": use ${REPORT_FORMATS.map((each) => each.name).join(', ')}.`);
}

type FailedText = NonNullable<ReportFormat['renderFailure']>;

/** A format in which the reports of several targets follow one another, and among them why one failed. */
function joined(
  load: () => Promise<Renderer>,
  failedText: FailedText = ({ message }) => `${terminalText(message)}\n`,
): Pick<ReportFormat, 'render' | 'renderTargets'> {
  return {
    render: async (report, options) => (await load())(report, options),
    renderTargets: async (targets, options) => {
      const render = await load();
      const known = targets.filter(({ report, failed }) => report !== null || failed !== undefined);
      const texts = known.map(({ report, failed }) =>
        report === null ? failedText(failed as FailedTarget) : render(report, { ...options, sharedBy: known.length }),
      );
      return (await Promise.all(texts)).join('\n');
    },
  };
}

const failedMarkdown: FailedText = async (failed) => (await import('./markdown.js')).renderFailedMarkdown(failed);

/** The overview of a fleet as the only piece of its text. */
function overviewOnly(
  load: () => Promise<(overview: FleetOverview, options: RenderOptions) => string>,
): NonNullable<ReportFormat['renderFleet']> {
  return async function* pieces(overview, _, options) {
    yield (await load())(overview, options);
  };
}
