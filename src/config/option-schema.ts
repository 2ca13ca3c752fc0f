import { z } from 'zod';
import { mappingFault } from '../evidence-file/production/database-map.js';
import { globFault } from '../inventory/namespace-glob.js';
import type { OptionSpec, OptionValue } from '../lint/option.js';
import { OPTION_LIST, type OPTIONS, type OptionName } from '../lint/options.js';
import {
  isSince,
  SINCE_EXAMPLES,
  isQuantityUnit,
  quantity,
  QUANTITY_EXAMPLES,
  type QuantityUnit,
} from '../lint/quantity.js';
import { isLikeUri } from '../text/hidden-uris.js';
import { LINEAR_SYNTAX, linearPattern } from '../text/linear-pattern.js';
import { didYouMean } from '../text/spelling.js';

const LIKE_A_URI = 'looks like a connection string: give that as "uri"';

const NO_MAPPING = 'must be of the form FROM=TO, with names of databases, as in "shop_test=shop"';

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

function valueSchema({ type, choices, choicesOfCommands = {}, unit, minimum = 0 }: OptionSpec): z.ZodType {
  if (type === 'switch') return z.boolean();
  if (type === 'number') return isQuantityUnit(unit) ? quantitySchema(minimum, unit) : z.int().min(minimum);
  if (choices !== undefined) return z.enum(choices.filter((choice) => choicesOfCommands[choice] === undefined));
  if (type === 'glob') return globSchema();
  if (type === 'mapping') return z.string().refine((value) => mappingFault(value) === null, { error: NO_MAPPING });
  if (type === 'source') return z.union([z.string().min(1), sourceFolder]);
  if (type === 'time') return z.string().refine(isSince, { error: `give ${SINCE_EXAMPLES}` });
  const text = type === 'format' ? z.string() : z.string().min(1);
  return type === 'url' ? text : text.refine((value) => !isLikeUri(value), { error: LIKE_A_URI });
}

const sourceFolder = z
  .strictObject({
    dir: z.string().min(1).describe('The folder.'),
    database: z.string().min(1).optional().describe('The database that it works on, if it is not all of them.'),
    include: z.array(z.string().min(1)).optional().describe('Globs of files below the folder; all if absent.'),
    exclude: z.array(z.string().min(1)).optional().describe('Globs of files to leave out.'),
    collections: z
      .record(z.string(), z.string())
      .optional()
      .describe('Collections by what the source calls them, as in "stores.orders".'),
    comments: z
      .array(
        z.string().refine((text) => linearPattern(text)?.groups.has('file') === true, {
          error: `give ${LINEAR_SYNTAX}, with a group (?<file>…)`,
        }),
      )
      .optional()
      .describe(
        'How the program names places in comments of operations: regular expressions with a group `file`, and one `line` if it is there.',
      ),
  })
  .describe('A folder of source code, and what of it counts.');

/** A number in ms or bytes, or a text with its unit, which {@link quantity} reads later. */
function quantitySchema(minimum: number, unit: QuantityUnit): z.ZodType {
  const isAsWritten = (text: string) => (quantity(text, unit) ?? -1) >= minimum;
  const error = `give ${QUANTITY_EXAMPLES[unit]}, or a whole number of ${unit} from ${minimum}`;
  return z.union([z.int().min(minimum), z.string().refine(isAsWritten, { error })], { error });
}

function sentence({ meaning, unit, variable, isSecret }: OptionSpec): string {
  const inUnit = isQuantityUnit(unit) ? `: ${QUANTITY_EXAMPLES[unit]}, or a number of ${unit}` : '';
  const secret = isSecret === true ? ` A secret: leave it to the environment, as in "\${${variable}}".` : '';
  return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}${inUnit}.${secret}`;
}

/** An object whose unknown keys are errors that suggest the nearest known key, a line for each. */
export function known<S extends z.ZodRawShape>(shape: S, noun = 'key') {
  const keys = Object.keys(shape);
  return z.strictObject(shape, {
    error: ({ code, keys: unknown }) =>
      code === 'unrecognized_keys'
        ? (unknown as string[]).map((key) => `unknown ${noun}${didYouMean(key, keys)}`).join('\n')
        : undefined,
  });
}
