import { z } from 'zod';
import { isLikeUri } from '../connect/shown-uri.js';
import { globFault } from '../inventory/namespace-glob.js';
import type { OptionSpec, OptionValue } from '../lint/option.js';
import { OPTION_LIST, type OPTIONS, type OptionName } from '../lint/options.js';

const LIKE_A_URI = 'looks like a connection string: give that as "uri"';

type Level = NonNullable<OptionSpec['inConfig']>;
type Options = typeof OPTIONS;
type NameAt<At extends Level> = {
  [Name in OptionName]: Options[Name] extends { readonly inConfig: At } ? Name : never;
}[OptionName];
type ConfigKey<Name extends OptionName> = Options[Name] extends { readonly configKey: infer Key extends string }
  ? Key
  : Name;
type Shape<At extends Level> = {
  readonly [Name in NameAt<At> as ConfigKey<Name>]: z.ZodOptional<z.ZodType<OptionValue<Options[Name]>>>;
};

/** A glob over `database.collection`. */
export function globSchema() {
  return z
    .string()
    .min(1, { abort: true })
    .superRefine((value, context) => {
      const fault = globFault(value);
      if (fault !== null) context.addIssue({ code: 'custom', message: `the glob ${fault}` });
    });
}

/** Keys of the configuration for the options of the table that can be set for each target, or for the run alone. */
export function optionShape<At extends Level>(level: At): Shape<At> {
  const keys = OPTION_LIST.filter(([, { inConfig }]) => inConfig === level);
  return Object.fromEntries(
    keys.map(([name, spec]) => {
      const { configKey = name, isRepeatable } = spec;
      const schema = isRepeatable === true ? z.array(valueSchema(spec)) : valueSchema(spec);
      return [configKey, schema.optional().describe(sentence(spec))];
    }),
  ) as unknown as Shape<At>;
}

function valueSchema({ type, choices, minimum = 0 }: OptionSpec): z.ZodType {
  if (type === 'switch') return z.boolean();
  if (type === 'number') return z.int().min(minimum);
  if (choices !== undefined) return z.enum(choices);
  if (type === 'glob') return globSchema();
  const text = type === 'format' ? z.string() : z.string().min(1);
  return type === 'url' ? text : text.refine((value) => !isLikeUri(value), { error: LIKE_A_URI });
}

function sentence({ meaning, unit, variable, isSecret }: OptionSpec): string {
  const inUnit = unit === 'ms' ? ', in ms' : '';
  const secret = isSecret === true ? ` A secret: leave it to the environment, as in "\${${variable}}".` : '';
  return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}${inUnit}.${secret}`;
}
