import type { EvidenceRun } from '../evidence/evidence-run.js';
import type { EvidencePlan } from '../evidence/source.js';
import { withExpectedSizes, type ExpectedSetting } from '../findings/expected-sizes.js';
import type { FaultListener } from '../findings/run-checks.js';
import { LintError } from '../lint-error.js';
import type { Report } from '../report/report.js';
import { begunJudgement, judgeRun, type BegunJudgement, type JudgingOptions } from './judge.js';
import { judgingTime, type JudgingBounds, type TimeOver } from './judging-time.js';
import type { ReadingOptions } from './reading-options.js';
import { sourceIn, type SourceReading } from './source-in.js';

/** Joins a run with the evidence of production, if the options name any; or else gives it as it is. */
type Join = (run: EvidenceRun, plan: EvidencePlan) => EvidenceRun;

type ProductionOptions = Pick<ReadingOptions, 'production' | 'map'>;

/** @throws LintError if databases are mapped without evidence of production */
export function assertMapUsed({ production, map = [] }: ProductionOptions): void {
  if (production === undefined && map.length > 0)
    throw new LintError('map needs production: give the evidence file whose databases it names.');
}

/** What evidence is judged with, whether a cluster or a file gives it. */
interface JudgedWith extends ProductionOptions, Pick<ReadingOptions, 'code' | 'interruption'> {
  readonly expect?: readonly ExpectedSetting[];
  readonly onFault?: FaultListener;
}

interface Judging {
  /** What the source says; null without any. */
  readonly code: SourceReading['code'] | null;
  readonly timeOver: TimeOver;
  judge(run: EvidenceRun, options: OptionsOfRun): Promise<Report>;
  /** Judges what does not hang on the source. */
  begin(run: EvidenceRun, options: OptionsOfRun): Promise<BegunJudgement>;
}

type OptionsOfRun = Omit<JudgingOptions, 'code' | 'timeOver' | 'sized' | 'onFault'>;

/**
 * Begins to judge: the evidence of production is read, the source is being read, and the time runs.
 *
 * @throws LintError if a file can't be used, there is no source, or databases are mapped without production
 */
export async function beginJudging(
  { code: folders, expect = [], onFault = () => {}, interruption, ...options }: JudgedWith,
  { maxTime, grace }: Pick<JudgingBounds, 'maxTime' | 'grace'>,
  source: typeof sourceIn = sourceIn,
): Promise<Judging> {
  const join = await joinedWithProduction(options);
  const code = (await source(folders, { maxTime, interruption }))?.code ?? null;
  const timeOver = judgingTime({ maxTime, grace, interruption });
  const given = { code, timeOver, sized: withExpectedSizes(expect), onFault };
  return {
    code,
    timeOver,
    judge: (run, rest) => judgeRun(join(run, rest.plan), { ...rest, ...given }),
    begin: (run, rest) => begunJudgement(join(run, rest.plan), { ...rest, ...given }),
  };
}

/** Reads the evidence of production that the options name. */
async function joinedWithProduction(options: ProductionOptions): Promise<Join> {
  assertMapUsed(options);
  const { production: file, map = [] } = options;
  if (file === undefined) return (run) => run;
  // Loaded only if asked for, since they bring the validation of the file's lines.
  const { readProduction } = await import('../evidence-file/production/production-evidence.js');
  const { joinedRun } = await import('../evidence-file/production/joined-run.js');
  const production = await readProduction(file);
  return (run, plan) => joinedRun(run, { production, map, plan });
}
