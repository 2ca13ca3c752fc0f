import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { configSchema } from '../../src/config/config-schema.js';
import { packageRoot } from '../../src/files/package-root.js';

const published = JSON.parse(readFileSync(join(packageRoot(), 'schema', 'config.schema.json'), 'utf8')) as object;
// Formats, such as that of dates, are annotations for editors.
const accepts = new Ajv({ strict: false, validateFormats: false }).compile(published);

describe('the published schema of the configuration', () => {
  it.each<[string, unknown, boolean]>([
    ['nothing', {}, true],
    ['a reference to itself', { $schema: './node_modules/mongolint/schema/config.schema.json' }, true],
    ['a severity', { checks: { 'unbounded-array': 'warning' } }, true],
    ['a check that is off', { checks: { 'unbounded-array': 'off' } }, true],
    [
      'thresholds by namespace',
      { checks: { 'unbounded-array': { namespaces: [{ glob: 'a.*', thresholds: { embeddedInfo: 3 } }] } } },
      true,
    ],
    ['targets', { targets: [{ alias: 'a', uri: '${A}', timeout: 3 }] }, true],
    ['a suppression', { suppressions: [{ check: '*', reason: 'known', expires: '2030-01-01' }] }, true],
    ['an expected size', { expect: [{ glob: 'shop.orders', documents: 5e6, executionsPerDay: 12_000 }] }, true],
    [
      'an expected size of a target',
      { targets: [{ alias: 'a', uri: '${A}', expect: [{ glob: 'a.b', documents: 9 }] }] },
      true,
    ],
    ['an expected size below zero', { expect: [{ glob: 'shop.orders', documents: -1 }] }, false],
    ['an expected size of nothing', { expect: [{ documents: 5 }] }, false],
    ['an unknown key', { failon: 'error' }, false],
    ['an unknown check', { checks: { 'unbounded-arrays': 'off' } }, false],
    ['an unknown threshold', { checks: { 'unbounded-array': { thresholds: { embedded: 3 } } } }, false],
    ['a severity that is none', { checks: { 'unbounded-array': 'fatal' } }, false],
    ['a namespace without a glob', { checks: { 'unbounded-array': { namespaces: [{ severity: 'off' }] } } }, false],
    ['a suppression without a reason', { suppressions: [{ check: '*' }] }, false],
    ['a target without an alias', { targets: [{ uri: 'a' }] }, false],
    ['a number out of range', { sampleSize: 0 }, false],
    ['a list', [], false],
  ])('agrees with what mongolint accepts: %s', (_, config, expected) => {
    expect(configSchema(builtInChecks).safeParse(config).success).toBe(expected);
    expect(accepts(config)).toBe(expected);
  });

  it('leaves the checks of plugins to mongolint, which knows them', () => {
    const config = { checks: { 'money/floating-point-money': 'error' } };
    expect(accepts(config)).toBe(true);
    expect(configSchema(builtInChecks).safeParse(config).success).toBe(false);
  });

  it('describes every key', () => {
    const { properties } = published as { properties: Record<string, { description?: string }> };
    expect(Object.entries(properties).filter(([, { description }]) => description === undefined)).toEqual([]);
  });
});
