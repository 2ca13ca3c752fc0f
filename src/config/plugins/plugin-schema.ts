import { z } from 'zod';
import { CLUSTER_EVIDENCE_NAMES, EVIDENCE_NAMES } from '../../evidence/sources.js';

const KEBAB_CASE = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const kebabCase = () => z.string().regex(KEBAB_CASE, { error: 'must be written in kebab-case' });

const text = () => z.string().min(1);
const method = z.custom<(...of: never[]) => unknown>((value) => typeof value === 'function', {
  error: 'must be a function',
});

const thresholdSchema = z.looseObject({
  default: z.number(),
  unit: text(),
  description: text(),
  source: text(),
});

const evidence = <Name extends string>(names: readonly Name[]) =>
  z.array(
    z.enum(names as [Name, ...Name[]], {
      error: `must be evidence that this version of mongolint collects: ${names.join(', ')}`,
    }),
  );

const commonKeys = {
  id: kebabCase(),
  title: text(),
  summary: text(),
  docs: z.url({ error: "must be the address of the check's page" }),
  needs: evidence(EVIDENCE_NAMES),
  thresholds: z.record(z.string(), thresholdSchema),
  judge: method,
};

const checkSchema = z.discriminatedUnion('scope', [
  z.looseObject({
    scope: z.literal('collection').optional(),
    appliesTo: z.array(z.enum(['collection', 'view', 'timeseries'])),
    uses: evidence(EVIDENCE_NAMES).optional(),
    ...commonKeys,
  }),
  z.looseObject({ scope: z.literal('cluster'), clusterNeeds: evidence(CLUSTER_EVIDENCE_NAMES), ...commonKeys }),
]);

const formatSchema = z.looseObject({
  name: kebabCase(),
  description: text(),
  extension: z.string().regex(/^\w[\w.]*$/, { error: 'must be an extension without its dot, such as "csv"' }),
  render: method,
  renderTargets: method.optional(),
});

/** A plugin's default export. The settings in its configs are validated with the configuration that extends them. */
export const pluginSchema = z.looseObject({
  meta: z.looseObject({ name: kebabCase(), version: text() }),
  checks: z.array(checkSchema).optional(),
  formats: z.array(formatSchema).optional(),
  configs: z.record(kebabCase(), z.looseObject({ checks: z.record(z.string(), z.unknown()) })).optional(),
});
