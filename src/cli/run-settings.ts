import { placeOf } from '../config/config-errors.js';
import type { Config } from '../config/config-schema.js';
import { URI_VARIABLE, withEnvironment } from '../config/environment.js';
import { loadConfig, type LoadedConfig } from '../config/load-config.js';
import { resolvedOptions, type OptionSource, type ResolvedOptions } from '../config/config-file.js';
import type { ExpectedSetting } from '../findings/expected-sizes.js';
import { selectedSettings } from '../findings/selected-checks.js';
import type { RunPart } from '../run-part.js';
import { LintError } from '../lint-error.js';
import type { Io } from './io.js';
import { configSource, DEFAULTS, environmentSource, flagSource } from './option-sources.js';
import type { RunOptions } from './run-options.js';

export interface RunTarget {
  /** Absent if the configuration lists no targets. */
  readonly alias?: string;
  readonly uri: string;
  /** Where the connection string comes from, for people. */
  readonly origin: string;
  readonly options: RunOptions;
  /** Sizes to judge at, those of the target last. */
  readonly expect: readonly ExpectedSetting[];
  /** True if flags select namespaces: others may be linted in other runs. */
  readonly isNarrowed: boolean;
  /** Alias of a target that should declare the same. */
  readonly sibling?: string;
  /** Which part of its collections to judge; absent for all. */
  readonly part?: RunPart;
}

export interface RunSettings {
  readonly config: LoadedConfig;
  readonly resolved: ResolvedOptions<RunOptions>;
  /** At least one, unless only the settings are printed. */
  readonly targets: readonly RunTarget[];
}

const NO_URI = `mongolint needs a connection string. Set it in the environment, where other users cannot see it:
  MONGODB_URI='mongodb://user:password@host:27017/?authSource=admin' mongolint
or pass it as an argument: mongolint mongodb://localhost:27017. To see it at work first: mongolint demo`;

/** What the configuration, the environment and flags set, wherever the evidence comes from. */
export interface LoadedSettings extends Omit<RunSettings, 'targets'> {
  /** The options and expected sizes of one of the targets that the file lists. */
  ofTarget(index: number): Pick<RunTarget, 'options' | 'expect'>;
  readonly expect: readonly ExpectedSetting[];
  /** True if flags select namespaces. */
  readonly isNarrowed: boolean;
}

/**
 * A flag wins over the environment, which wins over the configuration file, which wins over the default.
 *
 * @throws LintError if something is wrong
 */
export async function loadedSettings(flags: Partial<RunOptions>, io: Io): Promise<LoadedSettings> {
  const loaded = await loadConfig({
    cwd: io.cwd(),
    plugins: flags.plugin ?? [],
    ...(flags.config !== undefined && { file: flags.config }),
  });
  const { check = [], skipCheck = [], severity = [] } = flags;
  const settings = selectedSettings(loaded.checks, loaded.settings, { check, skipCheck, severity });
  const { file, values } = loaded;
  const ofFile = file === null ? [] : [configSource(values, file, io.env)];
  const resolvedWith = (ofTarget: readonly OptionSource<RunOptions>[]) =>
    resolvedOptions([DEFAULTS, ...ofFile, ...ofTarget, environmentSource(io.env), flagSource(flags)]);
  return {
    config: { ...loaded, settings },
    resolved: resolvedWith([]),
    ofTarget(index) {
      const target = values.targets?.[index];
      if (file === null || target === undefined) throw new Error(`The configuration has no target ${index}.`);
      const { values: options } = resolvedWith([configSource(target, file, io.env, ['targets', index])]);
      return { options, expect: [...expected(values.expect), ...expected(target.expect)] };
    },
    expect: expected(values.expect),
    isNarrowed: flags.include !== undefined || flags.exclude !== undefined,
  };
}

/**
 * The settings of a run on clusters. `MONGODB_URI` is `uri`, unless the file lists targets.
 *
 * @throws LintError if something is missing or wrong
 */
export async function runSettings(
  argument: string | undefined,
  flags: Partial<RunOptions>,
  io: Io,
): Promise<RunSettings> {
  const { config, resolved, ofTarget, expect, isNarrowed } = await loadedSettings(flags, io);
  const { file, values } = config;
  if (argument === undefined && file !== null && values.targets !== undefined) {
    const targets = values.targets.map((target, index): RunTarget => {
      const path = ['targets', index, 'uri'];
      const uri = withEnvironment(target.uri, file, path, io.env);
      const { alias, sibling } = target;
      const named = { alias, ...(sibling !== undefined && { sibling }) };
      return { ...named, uri, origin: placeOf(file, path), ...ofTarget(index), isNarrowed };
    });
    return { config, resolved, targets };
  }
  if (flags.printConfig === true && argument === undefined && !hasUri(config, io))
    return { config, resolved, targets: [] };
  const only = { ...onlyUri(argument, config, io), options: resolved.values, isNarrowed };
  return { config, resolved, targets: [{ ...only, expect }] };
}

/** The target of a command that takes one. @throws LintError if there are several */
export function onlyTarget({ targets }: Pick<RunSettings, 'targets'>): RunTarget {
  const [target, ...others] = targets;
  if (target === undefined || others.length > 0)
    throw new LintError(
      'The configuration lists several targets: give the connection string of one as the last argument.',
    );
  return target;
}

function expected(written: Config['expect'] = []): readonly ExpectedSetting[] {
  return written as readonly ExpectedSetting[];
}

export function hasUri({ values }: LoadedConfig, { env }: Io): boolean {
  return (env[URI_VARIABLE] ?? '') !== '' || values.uri !== undefined;
}

function onlyUri(
  argument: string | undefined,
  { file, values }: LoadedConfig,
  { env }: Io,
): { uri: string; origin: string } {
  if (argument !== undefined) return { uri: argument, origin: 'the argument' };
  const variable = env[URI_VARIABLE];
  if (variable !== undefined && variable !== '') return { uri: variable, origin: URI_VARIABLE };
  if (file !== null && values.uri !== undefined) {
    return { uri: withEnvironment(values.uri, file, ['uri'], env), origin: placeOf(file, ['uri']) };
  }
  throw new LintError(NO_URI);
}
