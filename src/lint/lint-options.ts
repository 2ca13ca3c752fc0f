import type { OptionValue } from './option.js';
import { OPTION_LIST, type OPTIONS, type OptionName } from './options.js';

type Options = typeof OPTIONS;
type NamesWith<Feature> = { [Name in OptionName]: Options[Name] extends Feature ? Name : never }[OptionName];
type NameWithDefault = NamesWith<{ readonly default: unknown }>;
type LintName = NamesWith<{ readonly inConfig: 'target' }>;
type LibraryKey<Name extends OptionName> = Options[Name] extends { readonly libraryKey: infer Key extends string }
  ? Key
  : Name;

/** A value for each option of a run; those without a default may be absent. */
export type OptionValues = { readonly [Name in NameWithDefault]: OptionValue<Options[Name]> } & {
  readonly [Name in Exclude<OptionName, NameWithDefault>]?: OptionValue<Options[Name]>;
};

/** The options of the table that `lint` takes: those that can differ from target to target. */
export type TakenByLint = { readonly [Name in LintName as LibraryKey<Name>]?: OptionValue<Options[Name]> };

/** The value of each option that has one by default. */
export const OPTION_DEFAULTS = Object.fromEntries(
  OPTION_LIST.flatMap(([name, spec]) => (spec.default === undefined ? [] : [[name, spec.default]])),
) as unknown as Pick<OptionValues, NameWithDefault>;

/** Defaults of `LintOptions`. Bytes and ms. */
export const LINT_DEFAULTS = takenByLint(OPTION_DEFAULTS) as {
  readonly [Name in LintName & NameWithDefault as LibraryKey<Name>]: OptionValue<Options[Name]>;
};

/** The options that `lint` takes, by their names in the library. */
export function takenByLint(values: Partial<OptionValues>): TakenByLint {
  const taken = OPTION_LIST.filter(([name, { inConfig }]) => inConfig === 'target' && values[name] !== undefined);
  return Object.fromEntries(taken.map(([name, { libraryKey = name }]) => [libraryKey, values[name]]));
}
