import { z } from 'zod';
import { builtInChecks } from '../../checks/index.js';
import type { AnyCheck } from '../check.js';
import { SEVERITIES } from '../finding/severity.js';
import { LintError } from '../lint-error.js';
import { didYouMean } from '../text/spelling.js';
import type { OptionSpec } from './option.js';
import { OPTION_LIST } from './options.js';
import type { ReadingOptions } from './reading-options.js';

const text = z.string().min(1);
const listener = z.custom((value) => typeof value === 'function', 'expected a function').optional();
const override = {
  severity: z.enum([...SEVERITIES, 'off']).optional(),
  thresholds: z.record(z.string(), z.number().nonnegative()).optional(),
};
const inTable = OPTION_LIST.filter(([, { inConfig }]) => inConfig === 'target');

const sourceFolder = z.looseObject({ dir: text });

const shape = {
  ...Object.fromEntries(inTable.map(([name, spec]) => [spec.libraryKey ?? name, schemaOf(spec)])),
  uri: text,
  checks: z.array(z.custom(isCheck, 'expected a check, as of defineCheck')).optional(),
  settings: z
    .record(
      z.string(),
      z.strictObject({ ...override, namespaces: z.array(z.strictObject({ glob: text, ...override })).optional() }),
    )
    .optional(),
  known: z.array(z.looseObject({ namespace: text, fingerprint: text, lookFor: z.looseObject({}) })).optional(),
  part: z.strictObject({ number: z.int().positive(), of: z.int().positive() }).optional(),
  expect: z
    .array(
      z.strictObject({
        glob: text,
        documents: z.int().positive().optional(),
        executionsPerDay: z.number().positive().optional(),
      }),
    )
    .optional(),
  interruption: z.custom((value) => value instanceof AbortSignal, 'expected an AbortSignal').optional(),
  onClient: listener,
  onProgress: listener,
  onFault: listener,
};
const schema = z.strictObject(shape);

function schemaOf({ type, choices, minimum = 0, isRepeatable }: OptionSpec): z.ZodType {
  const simple = { switch: z.boolean(), number: z.int().min(minimum), source: z.union([text, sourceFolder]) }[
    type as string
  ];
  const one = simple ?? (choices === undefined ? text : z.enum(choices));
  return (isRepeatable === true ? z.array(one) : one).optional();
}

function isCheck(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'judge' in value && 'id' in value;
}

/** Whoever calls from JavaScript gets no help from types. @throws LintError that names the first option that is wrong */
export function assertOptions(options: ReadingOptions): void {
  const [issue] = schema.safeParse(options).error?.issues ?? [];
  if (issue !== undefined) {
    const [key] = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const name = [...issue.path, ...(key === undefined ? [] : [key])].join('.');
    const fault =
      key === undefined ? issue.message : `there is none of this name${didYouMean(key, Object.keys(shape))}`;
    throw new LintError(name === '' ? 'lint needs an object of options.' : `The option ${name} of lint: ${fault}`);
  }
  const { checks = [], settings = {} } = options;
  const ids = [...builtInChecks, ...checks].map(({ id }: AnyCheck) => id);
  const unknown = Object.keys(settings).find((id) => !ids.includes(id));
  if (unknown === undefined) return;
  throw new LintError(`The option settings.${unknown} of lint: there is no such check${didYouMean(unknown, ids)}`);
}
