import { dirname, resolve } from 'node:path';
import { placeOf, configError } from '../config/config-errors.js';
import type { Config, ConfiguredTarget } from '../config/config-schema.js';
import { NOTIFY_VARIABLE, URI_VARIABLE, withEnvironment } from '../config/environment.js';
import type { ConfigFile } from '../config/config-file.js';
import { loadConfig, type LoadedConfig } from '../config/load-config.js';
import { LINT_OPTION_KEYS, POLICY_OPTION_KEYS } from '../config/option-values.js';
import { resolvedOptions, type OptionSource, type ResolvedOptions } from '../config/precedence.js';
import { LintError } from '../lint-error.js';
import type { Io } from './io.js';
import { parseFormat, type ReportOutput } from './report-outputs.js';
import type { GivenOptions, RunOptions } from './run-options.js';

/** A cluster to lint, and the options for it. */
export interface RunTarget {
  /** Absent where the run has one cluster, without a name. */
  readonly alias?: string;
  readonly uri: string;
  /** Where the connection string comes from, for people. */
  readonly origin: string;
  readonly options: RunOptions;
  /** True where flags leave out what the project lints as a rule. */
  readonly isNarrowed: boolean;
}

/** All that a run is told. */
export interface RunSettings {
  readonly config: LoadedConfig;
  readonly resolved: ResolvedOptions<RunOptions>;
  /** At least one. */
  readonly targets: readonly RunTarget[];
}

const NO_URI = `mongolint needs a connection string, and there is none. Give it in the environment, where other users can't see it:
  MONGODB_URI='mongodb://user:password@host:27017/?authSource=admin' mongolint
or as an argument: mongolint mongodb://localhost:27017 – or see it at work first: mongolint demo`;

/**
 * Puts together what was given: a flag wins over the environment, that over the configuration file, that over the default.
 * `MONGODB_URI` stands for `uri`; a file that lists targets names their variables itself.
 *
 * @throws LintError where something is missing or wrong
 */
export async function runSettings(
  argument: string | undefined,
  { flags, defaults }: GivenOptions,
  io: Io,
): Promise<RunSettings> {
  const config = await loadConfig({
    cwd: io.cwd(),
    plugins: flags.plugin ?? [],
    ...(flags.config !== undefined && { file: flags.config }),
  });
  const notify = io.env[NOTIFY_VARIABLE];
  const sources = (target?: OptionSource<RunOptions>): OptionSource<RunOptions>[] => [
    { values: defaults, originOf: () => 'default' },
    ...(config.file === null ? [] : [fileSource(config, config.file, io)]),
    ...(target === undefined ? [] : [target]),
    { values: notify === undefined || notify === '' ? {} : { notify }, originOf: () => NOTIFY_VARIABLE },
    { values: flags, originOf: flagOf },
  ];
  const resolved = resolvedOptions(sources());
  const isNarrowed = flags.include !== undefined || flags.exclude !== undefined;
  const { file, values } = config;
  if (argument === undefined && file !== null && values.targets !== undefined) {
    const targets = values.targets.map((target, index): RunTarget => {
      const path = ['targets', index];
      const uri = withEnvironment(target.uri, file, [...path, 'uri'], io.env);
      const { values: options } = resolvedOptions(sources(targetSource(target, file, path)));
      return { alias: target.alias, uri, origin: placeOf(file, [...path, 'uri']), options, isNarrowed };
    });
    return { config, resolved, targets };
  }
  return { config, resolved, targets: [{ ...onlyUri(argument, config, io), options: resolved.values, isNarrowed }] };
}

function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
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

function fileSource({ values }: LoadedConfig, file: ConfigFile, { env }: Io): OptionSource<RunOptions> {
  const { baseline, notify, formats } = values;
  const policy = POLICY_OPTION_KEYS.map((key) => [key, values[key]]);
  return {
    values: {
      ...lintOptionsOf(values, file),
      ...(Object.fromEntries(policy) as Partial<RunOptions>),
      ...(baseline !== undefined && { baseline: besides(file, baseline) }),
      ...(notify !== undefined && { notify: withEnvironment(notify, file, ['notify'], env) }),
      ...(formats !== undefined && { format: outputsOf(formats, file) }),
    },
    originOf: (option) => placeOf(file, [option === 'format' ? 'formats' : option]),
  };
}

function targetSource(
  target: ConfiguredTarget,
  file: ConfigFile,
  path: readonly PropertyKey[],
): OptionSource<RunOptions> {
  return { values: lintOptionsOf(target, file), originOf: (option) => placeOf(file, [...path, option]) };
}

/** What can be set for the run and for each target. */
function lintOptionsOf(values: Config | ConfiguredTarget, file: ConfigFile): Partial<RunOptions> {
  const { log, history } = values;
  const same = LINT_OPTION_KEYS.map((key) => [key, values[key]]);
  return {
    ...(Object.fromEntries(same) as Partial<RunOptions>),
    ...(log !== undefined && { log: log.map((path) => besides(file, path)) }),
    ...(history !== undefined && { history: besides(file, history) }),
  };
}

function outputsOf(formats: readonly string[], file: ConfigFile): ReportOutput[] {
  let outputs: ReportOutput[] = [];
  for (const [index, format] of formats.entries()) {
    try {
      outputs = parseFormat(format, outputs);
    } catch (error) {
      throw configError(file, [{ path: ['formats', index], message: (error as Error).message }]);
    }
  }
  return outputs.map(({ format, file: name }) => ({ format, file: name === null ? null : besides(file, name) }));
}

function besides(file: ConfigFile, path: string): string {
  return resolve(dirname(file.path), path);
}
