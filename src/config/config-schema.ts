import { z } from 'zod';
import type { AnyCheck, Thresholds } from '../check.js';
import { SEVERITIES } from '../finding/severity.js';
import { globSchema, known, optionShape } from './option-schema.js';
import { rulesSchema } from './rules/house-rule.js';

const SEVERITY_SETTINGS = [...SEVERITIES, 'off'] as const;

const uri = () =>
  z
    .string()
    .min(1)
    .describe('Connection string. Leave it to the environment, as in "${MONGODB_URI}": a file is easily shared.');

const expectation = known({
  glob: globSchema().describe('Glob over database.collection.'),
  documents: z.int().positive().optional().describe('Documents that the collection is expected to hold.'),
  executionsPerDay: z
    .number()
    .positive()
    .optional()
    .describe('How often a day each recorded kind of operation on it is expected to run.'),
}).refine(({ documents, executionsPerDay }) => documents !== undefined || executionsPerDay !== undefined, {
  error: 'give documents, executionsPerDay or both',
});

const expect = () =>
  z
    .array(expectation)
    .optional()
    .describe(
      'Sizes in production, for collections that are small here: they are judged at these. If several match, the last one wins.',
    );

const target = known({
  alias: z
    .string()
    .regex(/^\w[\w.-]*$/, { error: 'an alias is made of letters, digits, "_", "-" and "."' })
    .describe('Name of the target in reports and in the baseline.'),
  uri: uri(),
  ...optionShape('target'),
  expect: expect(),
  sibling: z
    .string()
    .optional()
    .describe(
      'Alias of a target that declares the same collections, indexes and validators: what differs is reported.',
    ),
}).describe('A cluster to lint, and the settings that differ for it.');

const suppression = known({
  check: z.string().min(1).describe('Id of the check, or a glob over ids: "*" for every check.'),
  namespace: globSchema().optional().describe('Glob over database.collection; every namespace if absent.'),
  path: z.string().min(1).optional().describe('Glob over the path of the finding; every path if absent.'),
  reason: z.string().trim().min(1, { error: 'say why it is suppressed' }).describe('Why it is suppressed.'),
  expires: z.iso
    .date({ error: 'must be a day that exists, as "YYYY-MM-DD"' })
    .optional()
    .describe('Last day on which it holds, in UTC, as YYYY-MM-DD. The findings count again afterwards.'),
  owner: z.string().min(1).optional().describe('Who is responsible for it.'),
}).describe('Findings that do not count for now. They stay visible in every report.');

const ownerRule = known({
  glob: globSchema().optional().describe('Glob over database.collection.'),
  appName: z
    .string()
    .min(1)
    .optional()
    .describe("Glob over the name of the application that runs most of a finding's operations."),
  owner: z.string().trim().min(1).nullable().describe('Name of a team or a person; null for nobody.'),
})
  .refine(({ glob, appName }) => glob !== undefined || appName !== undefined, 'needs a glob, an appName, or both')
  .describe('Who answers for the namespaces or applications that match.');

const channel = known({
  owner: z.string().min(1).describe('As in owners.'),
  notify: z
    .string()
    .min(1)
    .describe('Address of the webhook. A secret: leave it to the environment, as in "${WEBHOOK}".'),
  notifyFormat: z
    .enum(['slack', 'teams', 'json'])
    .optional()
    .describe('What it takes; as its address says, or else json.'),
}).describe('The webhook of an owner.');

const limit = () => z.number().nonnegative().optional();

function overrideKeys({ thresholds, retiredThresholds = [] }: AnyCheck) {
  const shape = [
    ...Object.entries(thresholds as Thresholds).map(([name, { description, unit, default: value }]) => {
      const counted = description.startsWith(`${unit} `) ? '' : `, in ${unit}`;
      return [name, limit().describe(`${description}${counted}; ${value} by default`)] as const;
    }),
    ...retiredThresholds.map((name) => [name, limit().meta({ deprecated: true, description: 'Ignored.' })] as const),
  ];
  return {
    severity: z.enum(SEVERITY_SETTINGS).optional().describe('Severity of everything that the check finds, or "off".'),
    thresholds: known(Object.fromEntries(shape), 'threshold').optional().describe('Limits that the check judges by.'),
  };
}

function checkSetting(check: AnyCheck) {
  const keys = overrideKeys(check);
  const namespaces = z
    .array(known({ glob: globSchema().describe('Glob over database.collection.'), ...keys }))
    .optional()
    .describe('What differs for some namespaces. If several match, the last one wins.');
  return z
    .union([z.enum(SEVERITY_SETTINGS), known({ ...keys, namespaces })])
    .optional()
    .describe(`${check.title}: ${check.summary}.`);
}

export function checksSchema(checks: readonly AnyCheck[]) {
  return known(Object.fromEntries(checks.map((check) => [check.id, checkSetting(check)])), 'check');
}

/** The schema of the configuration, given the checks that exist. */
export function configSchema(checks: readonly AnyCheck[]) {
  return known({
    $schema: z.string().optional().describe('Address of this schema, for editors.'),
    uri: uri().optional(),
    targets: z.array(target).min(1).optional().describe('Clusters to lint in one run, instead of uri.'),
    ...optionShape('target'),
    ...optionShape('run'),
    extends: z
      .array(z.string())
      .optional()
      .describe(
        'Settings of checks and rules that others share: PLUGIN/NAME, a package, or a file that begins with "./". A later one wins.',
      ),
    rules: rulesSchema().optional().describe('House rules: checks without code, known as house/ID.'),
    expect: expect(),
    checks: checksSchema(checks).optional().describe('Settings of each check.'),
    owners: z
      .array(ownerRule)
      .optional()
      .describe('Who answers for findings on which namespaces. If several match, the last one wins, as in CODEOWNERS.'),
    channels: z.array(channel).optional().describe("Webhooks of owners, each of which gets what is its owner's."),
    suppressions: z.array(suppression).optional().describe('Findings that do not count, each with its reason.'),
  }).meta({ title: 'mongolint configuration', description: 'Paths are relative to the file.' });
}

export type Config = z.infer<ReturnType<typeof configSchema>>;
export type ConfiguredTarget = z.infer<typeof target>;

/** The published JSON Schema of the configuration. Checks of plugins, "plugin/check", are accepted as they are. */
export function configJsonSchema(checks: readonly AnyCheck[]): z.core.JSONSchema.BaseSchema {
  const schema = z.toJSONSchema(configSchema(checks), { target: 'draft-7' });
  const properties = schema.properties?.['checks'] as z.core.JSONSchema.BaseSchema;
  properties.patternProperties = { '^[a-z][a-z0-9-]*/': {} };
  return schema;
}
