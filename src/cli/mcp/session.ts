import { basename, resolve } from 'node:path';
import type { LoadedConfig } from '../../config/load-config.js';
import type { Finding } from '../../finding.js';
import { LintError } from '../../lint-error.js';
import { judgeEvidence } from '../../lint/judge-evidence.js';
import { applyPolicy } from '../../policy/apply-policy.js';
import type { TargetRun } from '../../policy/judged.js';
import type { Report } from '../../report/report.js';
import { comparedRuns } from '../compare-command.js';
import type { Io } from '../io.js';
import { fileKeeping, type Keeping } from '../keeping.js';
import { lintTargets } from '../lint-targets.js';
import type { RunOptions } from '../run-options.js';
import { baselineOf, policyOf } from '../run-policy.js';
import { hasUri, loadedSettings, runSettings, type LoadedSettings, type RunTarget } from '../run-settings.js';
import { isEvidenceFile, readSavedReport } from '../saved-run.js';
import { wouldBeIndexed, type AskedOperation, type IndexAnswer } from './would-be-indexed.js';

/** In ms, after `--max-time`: what was read is judged, and answered. */
const GRACE = 30_000;

/** What the only target of a configuration without `targets` is called. */
const ONLY_TARGET = 'default';

/** What a client may name: targets of the configuration, and files that the command was given. Never an address. */
export class McpSession {
  /** The newest report of each target that was linted in this session. */
  readonly #reports = new Map<string, Report>();

  private constructor(
    private readonly settings: LoadedSettings,
    private readonly linted: ReadonlyMap<string, RunTarget>,
    /** Files by their names; true for evidence, false for saved reports. */
    private readonly files: ReadonlyMap<string, { readonly path: string; readonly isEvidence: boolean }>,
    private readonly flags: Partial<RunOptions>,
    private readonly io: Io,
  ) {}

  /** @throws LintError if the configuration is wrong, a file can't be read, or there is neither a target nor a file */
  static async open(files: readonly string[], flags: Partial<RunOptions>, io: Io): Promise<McpSession> {
    const settings = await loadedSettings(flags, io);
    const named = new Map<string, { path: string; isEvidence: boolean }>();
    for (const file of files) {
      const name = basename(file);
      if (named.has(name)) throw new LintError(`Two files are called ${name}: rename one.`);
      named.set(name, { path: resolve(io.cwd(), file), isEvidence: await isEvidenceFile(file, io) });
    }
    const { values } = settings.config;
    // Files alone will do, too.
    const hasTargets = files.length === 0 || values.targets !== undefined || hasUri(settings.config, io);
    // What there is to say of the settings was said when they were loaded.
    const silent = { ...io, stderr: { write: () => undefined } };
    const { targets: listed } = hasTargets ? await runSettings(undefined, flags, silent) : { targets: [] };
    const targets = new Map(listed.map((target) => [target.alias ?? ONLY_TARGET, target]));
    for (const name of targets.keys())
      if (named.has(name)) throw new LintError(`A file and a target are both called ${name}: rename the file.`);
    return new McpSession(settings, targets, named, flags, io);
  }

  get targets(): string[] {
    return [...this.linted.keys()];
  }

  /** In ms. */
  get longestAnswer(): number {
    const times = [...this.linted.values()].map(({ options }) => options.maxTime);
    return Math.max(this.settings.resolved.values.maxTime, ...times) + GRACE;
  }

  get evidence(): string[] {
    return [...this.files].flatMap(([name, { isEvidence }]) => (isEvidence ? [name] : []));
  }

  /** What can be asked about: targets and files. */
  get names(): string[] {
    return [...this.targets, ...this.files.keys()];
  }

  get checks(): LoadedConfig['checks'] {
    return this.settings.config.checks;
  }

  /** Lints a target. Writes no report and no history, and sends nothing to a webhook. @throws LintError if it fails */
  async lint(name: string, signal: AbortSignal): Promise<Report> {
    const target = this.linted.get(name);
    if (target === undefined) throw new LintError(`There is no target of this name: use ${this.targets.join(', ')}.`);
    const { history: _, ...options } = target.options;
    const quiet = { ...target, options: { ...options, showValues: false, quiet: true, progress: false } };
    const baseline = await this.#baseline();
    // What it finds is kept here, for as long as the session lasts.
    const { note: _note, ...unnoted } = this.io;
    const io = { ...unnoted, interruption: () => signal };
    const { outcomes } = await lintTargets([quiet], this.settings.config, io, baseline, 1, this.#keeping);
    const [outcome] = outcomes as [TargetRun | string];
    if (typeof outcome === 'string') throw new LintError(outcome);
    const report = this.#reported(outcome, baseline);
    this.#reports.set(name, report);
    return report;
  }

  /** The report of a target that was linted in this session, of a saved report, or of evidence, which is judged now. */
  async report(name: string): Promise<Report> {
    const file = this.files.get(name);
    if (file !== undefined) return file.isEvidence ? this.#judged(file.path) : this.#saved(file.path);
    const report = this.#reports.get(name);
    if (report !== undefined) return report;
    if (this.linted.has(name)) throw new LintError(`${name} has not been linted in this session: call lint first.`);
    throw new LintError(`Nothing has this name: use ${this.names.join(', ')}.`);
  }

  /** The newer of two files, with what differs from the older one. */
  async compare(older: string, newer: string): Promise<Report> {
    const { report } = await comparedRuns(
      [this.#file(older).path, this.#file(newer).path],
      this.settings,
      this.flags,
      this.io,
    );
    return withoutValues(report, newer);
  }

  wouldBeIndexed(name: string, asked: AskedOperation): Promise<IndexAnswer> {
    const { path, isEvidence } = this.#file(name);
    if (!isEvidence) throw new LintError(`${name} is a report: this needs a file of \`mongolint collect\`.`);
    return wouldBeIndexed(path, asked);
  }

  #file(name: string): { readonly path: string; readonly isEvidence: boolean } {
    const file = this.files.get(name);
    if (file !== undefined) return file;
    throw new LintError(
      `No file has this name: use ${[...this.files.keys()].join(', ') || 'one that is given to mongolint mcp'}.`,
    );
  }

  async #judged(file: string): Promise<Report> {
    const { config, expect } = this.settings;
    const { checks, settings } = config;
    const run = await judgeEvidence({ file, checks, settings, expect });
    return this.#reported({ ...run, isNarrowed: true }, await this.#baseline());
  }

  async #saved(file: string): Promise<Report> {
    const name = basename(file);
    return withoutValues(await readSavedReport(file, this.io, name), name);
  }

  #reported(run: TargetRun, baseline: Awaited<ReturnType<typeof baselineOf>>): Report {
    const [report] = applyPolicy([run], policyOf(this.settings, baseline)) as [Report];
    return report;
  }

  get #keeping(): Keeping {
    return fileKeeping(this.settings.resolved.values, this.io.cwd());
  }

  #baseline(): ReturnType<typeof baselineOf> {
    return baselineOf(this.settings.resolved.values, this.#keeping.baseline);
  }
}

/** @throws LintError if it was written with --show-values */
function withoutValues(report: Report, name: string): Report {
  if (report.findings.some((finding) => hasValues(finding) || finding.furtherReasons?.some(hasValues)))
    throw new LintError(`${name} was written with --show-values: give a report without values of documents.`);
  return report;
}

/** By the two places that hold any. */
function hasValues({ evidence, ranBy = [] }: Pick<Finding, 'evidence'> & Partial<Pick<Finding, 'ranBy'>>): boolean {
  return 'ids' in evidence || ranBy.some(({ addresses }) => addresses !== undefined);
}
