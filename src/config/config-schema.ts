import { z } from 'zod';
import type { AnyCheck, Thresholds } from '../check.js';
import { SEVERITIES } from '../severity.js';
import { globFault } from '../inventory/namespace-glob.js';
import { didYouMean } from '../spelling.js';
import { FAIL_ON, READ_PREFERENCES, type LINT_OPTION_KEYS, type POLICY_OPTION_KEYS } from './option-values.js';

const SEVERITY_SETTINGS = [...SEVERITIES, 'off'] as const;

/** An object of which unknown keys are errors that suggest the nearest known one; a line of the message for each key. */
function known<S extends z.ZodRawShape>(shape: S, noun = 'key') {
  const keys = Object.keys(shape);
  return z.strictObject(shape, {
    error: ({ code, keys: unknown }) =>
      code === 'unrecognized_keys'
        ? (unknown as string[]).map((key) => `unknown ${noun}${didYouMean(key, keys)}`).join('\n')
        : undefined,
  });
}

const wholeNumber = (minimum: number) => z.int().min(minimum);
const glob = () =>
  z
    .string()
    .min(1, { abort: true })
    .superRefine((value, context) => {
      const fault = globFault(value);
      if (fault !== null) context.addIssue({ code: 'custom', message: `the glob ${fault}` });
    });
const globs = () => z.array(glob());
const uri = () =>
  z
    .string()
    .min(1)
    .describe('Connection string. Leave it to the environment, as in "${MONGODB_URI}": a file is easily shared.');

/** What can be set for the whole run, and for each target. */
const LINT_KEYS = {
  include: globs().optional().describe('Lint only what these globs over database.collection match.'),
  exclude: globs().optional().describe('Leave out what these globs over database.collection match.'),
  sampleSize: wholeNumber(1).optional().describe('Documents sampled per collection.'),
  sampleBytes: wholeNumber(1).optional().describe('Bytes sampled per collection.'),
  concurrency: wholeNumber(1).optional().describe('Collections under way at once.'),
  maxTime: wholeNumber(1).optional().describe('Longest time for a target, in ms.'),
  timeout: wholeNumber(1).optional().describe('Longest wait for a connection and for any one command, in ms.'),
  readPreference: z.enum(READ_PREFERENCES).optional().describe('Where to read.'),
  deep: z.boolean().optional().describe('Search collections of any size for large documents.'),
  showValues: z.boolean().optional().describe("Report _id's of documents."),
  history: z
    .string()
    .min(1)
    .optional()
    .describe('File in which each run keeps lengths and sizes, so that growth between runs is measured.'),
  log: z.array(z.string().min(1)).optional().describe('Logs of mongod to read the workload from, plain or gzipped.'),
} satisfies Record<(typeof LINT_OPTION_KEYS)[number], z.ZodType>;

const POLICY_KEYS = {
  failOn: z.enum(FAIL_ON).optional().describe('Least severity that fails.'),
  maxWarnings: wholeNumber(0).optional().describe('Fail where there are more warnings than this.'),
  strict: z.boolean().optional().describe('Fail where something enabled could not be judged.'),
} satisfies Record<(typeof POLICY_OPTION_KEYS)[number], z.ZodType>;

const target = known({
  alias: z
    .string()
    .regex(/^\w[\w.-]*$/, { error: 'an alias is made of letters, digits, "_", "-" and "."' })
    .describe('Name of the target in reports and in the baseline.'),
  uri: uri(),
  ...LINT_KEYS,
}).describe('A cluster to lint, and what differs for it from the rest of the configuration.');

const suppression = known({
  check: z.string().min(1).describe('Id of the check, or a glob over ids: "*" for every check.'),
  namespace: glob().optional().describe('Glob over database.collection; every namespace where absent.'),
  path: z.string().min(1).optional().describe('Glob over the path of the finding; every path where absent.'),
  reason: z.string().trim().min(1, { error: 'say why it is suppressed' }).describe('Why it is suppressed.'),
  expires: z.iso
    .date({ error: 'must be a day that exists, as "YYYY-MM-DD"' })
    .optional()
    .describe('Last day on which it holds, in UTC, as YYYY-MM-DD; the findings count again afterwards.'),
  owner: z.string().min(1).optional().describe('Who answers for it.'),
}).describe('An agreement not to be told of some findings. They stay visible in every report.');

function overrideKeys({ thresholds }: AnyCheck) {
  const shape = Object.entries(thresholds as Thresholds).map(([name, { description, unit, default: value }]) => {
    return [
      name,
      z.number().nonnegative().optional().describe(`${description}, in ${unit}; ${value} by default`),
    ] as const;
  });
  return {
    severity: z.enum(SEVERITY_SETTINGS).optional().describe('Severity of all that the check finds, or "off".'),
    thresholds: known(Object.fromEntries(shape), 'threshold').optional().describe('Limits that the check judges by.'),
  };
}

/** Settings of one check: a severity, or an object. */
function checkSetting(check: AnyCheck) {
  const keys = overrideKeys(check);
  const namespaces = z
    .array(known({ glob: glob().describe('Glob over database.collection.'), ...keys }))
    .optional()
    .describe('What differs on some namespaces; of several that match, the last one wins.');
  return z
    .union([z.enum(SEVERITY_SETTINGS), known({ ...keys, namespaces })])
    .optional()
    .describe(`${check.title}: ${check.summary}.`);
}

/** Settings by check id. */
export function checksSchema(checks: readonly AnyCheck[]) {
  return known(Object.fromEntries(checks.map((check) => [check.id, checkSetting(check)])), 'check');
}

/** The configuration file, where these are the checks that there are. */
export function configSchema(checks: readonly AnyCheck[]) {
  return known({
    $schema: z.string().optional().describe('Address of this schema, for editors.'),
    uri: uri().optional(),
    targets: z.array(target).min(1).optional().describe('Clusters to lint in one run, in place of uri.'),
    ...LINT_KEYS,
    formats: z
      .array(z.string())
      .optional()
      .describe('Reports, each as FORMAT or FORMAT=FILE, with {target} in FILE for its alias.'),
    ...POLICY_KEYS,
    extends: z
      .array(z.string())
      .optional()
      .describe('Settings of checks that plugins bring, as PLUGIN/NAME; a later one wins.'),
    checks: checksSchema(checks).optional().describe('What is set for each check.'),
    suppressions: z.array(suppression).optional().describe('Findings that are not to count, with reasons.'),
    baseline: z.string().min(1).optional().describe('File of known findings: only new ones fail.'),
    plugins: z
      .array(z.string().min(1))
      .optional()
      .describe('Modules with more checks: packages, or files beginning with "./".'),
    notify: z
      .string()
      .min(1)
      .optional()
      .describe('Webhook that is told of what is new. Leave it to the environment: it is a secret.'),
  }).meta({ title: 'mongolint configuration', description: 'Paths are relative to the file.' });
}

/** The configuration file as it is written. */
export type Config = z.infer<ReturnType<typeof configSchema>>;
/** One entry of `targets`. */
export type ConfiguredTarget = z.infer<typeof target>;

/** The published JSON Schema of the configuration. Checks of plugins, "plugin/check", are accepted as they are. */
export function configJsonSchema(checks: readonly AnyCheck[]): z.core.JSONSchema.BaseSchema {
  const schema = z.toJSONSchema(configSchema(checks), { target: 'draft-7' });
  const properties = schema.properties?.['checks'] as z.core.JSONSchema.BaseSchema;
  properties.patternProperties = { '^[a-z][a-z0-9-]*/': {} };
  return schema;
}
