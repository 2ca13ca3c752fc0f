import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SourceReader } from '../../code/source-process.js';
import type { UnderstoodCode } from '../../code/understood-code.js';
import { heldEvidence, type HeldEvidence, type JudgeEvidenceOptions } from '../../lint/judge-evidence.js';
import type { SourceFolder } from '../../lint/option.js';
import { applyPolicy } from '../../policy/apply-policy.js';
import { present } from '../../presence.js';
import { printableReport } from '../../report/printable-report.js';
import type { Report } from '../../report/report.js';
import { terminalText } from '../../text/terminal-text.js';
import type { Io } from '../io.js';
import { judgedBy } from '../judge-command.js';
import { fileKeeping } from '../keeping.js';
import { type RunOptions, sourceFolders } from '../run-options.js';
import { baselineOf, policyOf } from '../run-policy.js';
import { loadedSettings, type LoadedSettings } from '../run-settings.js';
import { lineOf } from '../shown-errors.js';
import type { JudgedSource } from './call-figures.js';

/** What is known of a project; without evidence, only its source. */
export type ReadProject = { readonly code: UnderstoodCode } & Partial<JudgedSource>;

/** Source that somebody edits, and the evidence that it is judged by. */
export class Project {
  readonly reader = new SourceReader(new AbortController().signal);
  readonly #evidence: string;
  /** When the file of evidence changed last, and its size. */
  #version: string | null = null;
  #held: HeldEvidence | null = null;
  /** What was said last, by what it is about. */
  readonly #said = new Map<string, string>();

  private constructor(
    private readonly settings: LoadedSettings,
    private readonly folders: readonly SourceFolder[],
    file: string,
    private readonly io: Io,
    private readonly warn: (message: string) => void,
  ) {
    this.#evidence = resolve(io.cwd(), file);
  }

  /** @throws LintError if the configuration is wrong */
  static async open(
    file: string,
    flags: Partial<RunOptions>,
    io: Io,
    warn: (message: string) => void,
  ): Promise<Project> {
    const settings = await loadedSettings(flags, io);
    const folders = sourceFolders(settings.resolved.values, io.cwd());
    const all = folders.length === 0 ? sourceFolders({ code: ['.'] }, io.cwd()) : folders;
    return new Project(settings, all, file, io, warn);
  }

  /**
   * Reads what has changed, and judges it. One reading at a time.
   *
   * @param texts what an editor holds of files, by path
   * @returns null if no source can be read: why, is said once
   */
  async read(texts: ReadonlyMap<string, string>): Promise<ReadProject | null> {
    await this.#readEvidence();
    const code = await this.#attempt('source', () => this.reader.read(this.folders, texts));
    if (code === undefined) return null;
    const held = this.#held;
    if (held === null) return { code };
    const judged = await this.#attempt('findings', async () => {
      const { report, shapes } = await held.judgement.reportWith(present(code));
      return { judgement: held.judgement, shapes, report: await this.#reported(report, held) };
    });
    return { code, ...judged };
  }

  async #readEvidence(): Promise<void> {
    const version = await stat(this.#evidence).then(
      ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
      () => null,
    );
    if (version !== null && version === this.#version) return;
    this.#version = version;
    const { config, resolved, expect } = this.settings;
    const meanwhile = this.#held === null ? 'Nothing is judged without it.' : 'The earlier evidence counts meanwhile.';
    const options: JudgeEvidenceOptions = {
      ...judgedBy({ options: resolved.values, expect }, config, this.io.cwd()),
      file: this.#evidence,
      code: this.folders,
      onFault: (check, namespace, error) => this.#say(`${check} ${namespace}`, `${check} failed: ${lineOf(error)}`),
    };
    // The source is read apart, again and again.
    const read = () => heldEvidence(options, async () => null);
    const held = await this.#attempt('evidence', read, meanwhile);
    // A file that is just being written again is read when it is whole.
    if (held !== undefined) this.#held = held;
  }

  async #reported(report: Report, held: HeldEvidence): Promise<Report> {
    const { values } = this.settings.resolved;
    const baseline = await baselineOf(values, fileKeeping(values, this.io.cwd()).baseline);
    const run = { ...held.asRun(report), isNarrowed: true };
    const [reported] = applyPolicy([run], policyOf(this.settings, baseline)) as [Report];
    return printableReport(reported);
  }

  async #attempt<Result>(what: string, read: () => Promise<Result>, meanwhile = ''): Promise<Result | undefined> {
    try {
      const result = await read();
      this.#said.delete(what);
      return result;
    } catch (error) {
      this.#say(what, `${lineOf(error)} ${meanwhile}`.trimEnd());
      return undefined;
    }
  }

  /** Once, and again if it went well meanwhile. */
  #say(what: string, message: string): void {
    if (this.#said.get(what) !== message) this.warn(terminalText(message));
    this.#said.set(what, message);
  }
}
