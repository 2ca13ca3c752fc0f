/** Commands that take the same options. */

export const READS_CLUSTER = ['shard-key', 'rehearse', 'collect'] as const;

export const READS_CONFIG = [
  'checks',
  'explain',
  'role',
  ...READS_CLUSTER,
  'judge',
  'report',
  'compare',
  'mcp',
  'lsp',
  'accept',
] as const;

export const SELECTS_CHECKS = ['role', 'rehearse', 'collect', 'judge', 'compare', 'lsp'] as const;

export const COLLECTS = ['collect'] as const;

export const JUDGES = ['judge'] as const;

export type OptionType =
  | 'switch'
  | 'number'
  | 'choice'
  | 'glob'
  | 'file'
  | 'source'
  | 'module'
  | 'url'
  | 'format'
  | 'check'
  | 'owner'
  | 'mapping'
  | 'part'
  | 'time'
  | 'severity';

/** A folder of source code, and what of it counts. */
export interface SourceFolder {
  readonly dir: string;
  /** The database that it works on, if it is not all of them. */
  readonly database?: string;
  /** Globs of files below the folder. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Collections by what the source calls them, as in "stores.orders", if it gets them in a way that can't be followed. */
  readonly collections?: Readonly<Record<string, string>>;
  /** How its program names places in comments of operations: regular expressions with the groups `file` and `line`. */
  readonly comments?: readonly string[];
  /** What names of its files begin with in reports; the folder's if absent. */
  readonly name?: string;
}

/** An option. The command, the configuration, the library and the documentation are made from it. */
export interface OptionSpec {
  readonly type: OptionType;
  /** What it does, as `--help` says it; the configuration's schema makes it a sentence. */
  readonly meaning: string;
  /** The name of a choice in `--help`. */
  readonly noun?: string;
  readonly choices?: readonly string[];
  /** Choices that only some commands have, by choice. The configuration and a run have the others. */
  readonly choicesOfCommands?: Readonly<Record<string, readonly string[]>>;
  /** What a number counts. Times are in ms. */
  readonly unit?: 'warnings' | 'operations' | 'documents' | 'bytes' | 'collections' | 'targets' | 'ms';
  readonly minimum?: number;
  readonly default?: boolean | number | string | null | readonly never[];
  /** The default in words, if the value does not say it. */
  readonly defaultMeaning?: string;
  /** What `--no-NAME` does beside `--NAME`: its value is then false. */
  readonly negated?: string;
  readonly isRepeatable?: true;
  /** `target`: it can be set in the configuration, also for each target, and `lint` takes it. `run`: only for the whole run. */
  readonly inConfig?: 'target' | 'run';
  readonly configKey?: string;
  /** Its name among the options of `lint`, if it differs. */
  readonly libraryKey?: string;
  /** The environment variable that sets it: for texts only. */
  readonly variable?: string;
  /** Its value is never printed. */
  readonly isSecret?: true;
  /** Commands that take it too. */
  readonly commands?: readonly string[];
}

type OneValue<Spec extends OptionSpec> = Spec['type'] extends 'switch'
  ? boolean
  : Spec['type'] extends 'number'
    ? number
    : Spec extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : Spec['type'] extends 'source'
        ? string | SourceFolder
        : string;

export type OptionValue<Spec extends OptionSpec> = Spec extends { readonly isRepeatable: true }
  ? readonly OneValue<Spec>[]
  :
      | OneValue<Spec>
      | (Spec extends { readonly default: null } ? null : never)
      | (Spec extends { readonly negated: string } ? false : never);
