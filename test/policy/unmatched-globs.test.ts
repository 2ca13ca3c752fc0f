import { describe, expect, it } from 'vitest';
import { configuredGlobs } from '../../src/cli/run-policy.js';
import { loadConfig } from '../../src/config/load-config.js';
import { applyPolicy, unmatchedGlobs } from '../../src/policy/apply-policy.js';
import type { TargetRun } from '../../src/policy/judged.js';
import { folderWith } from '../support/config-folder.js';
import { policyRun } from '../support/policy-finding.js';

const CONFIG = `checks:
  deep-nesting: off
  unbounded-array:
    namespaces:
      - { glob: 'logs.*', severity: off }
      - { glob: 'log.*', severity: off }
owners:
  - { glob: 'shop.*', owner: team-shop }
  - { glob: 'shpo.*', owner: team-shop }
  - { appName: billing, owner: team-billing }
expect:
  - { glob: 'shop.orders', documents: 5000000 }
  - { glob: 'shop.order', documents: 5000000 }
targets:
  - alias: eu
    uri: mongodb://localhost
    expect:
      - { glob: 'shop.invoice', documents: 100 }
`;
const SHOP = policyRun(['shop.orders', 'logs.day']);
const unlisted = policyRun(['shop.orders'], {
  skipped: [{ check: '*', namespace: 'hr.*', reason: 'privilege', detail: 'not authorized' }],
});

async function texts(runs: readonly TargetRun[]): Promise<string[]> {
  const config = await loadConfig({ cwd: await folderWith({ 'mongolint.config.yaml': CONFIG }), plugins: [] });
  return unmatchedGlobs(configuredGlobs(config), runs).map(({ text }) => text);
}

describe('globs of the configuration', () => {
  it('that match nothing are named with their place', async () => {
    expect(await texts([SHOP])).toEqual([
      'expect shop.order (mongolint.config.yaml:13) matches no collection: correct it, or remove it.',
      'expect shop.invoice (mongolint.config.yaml:18) matches no collection: correct it, or remove it.',
      'owners shpo.* (mongolint.config.yaml:9) matches no collection: correct it, or remove it.',
      'checks.unbounded-array log.* (mongolint.config.yaml:6) matches no collection: correct it, or remove it.',
    ]);
  });

  it.each([
    ['flags leave collections out', [SHOP, policyRun(['shop.orders'], {}, { isNarrowed: true })]],
    ['a database could not be listed', [SHOP, unlisted]],
    ['there are no collections', [policyRun([])]],
  ])('are no typo for sure if %s', async (_, runs) => {
    expect(await texts(runs)).toEqual([]);
  });

  it('may match what other parts of the run lint', () => {
    const policy = { checks: [], settings: {}, suppressions: [], baseline: null, today: '2026-06-15' };
    const globs = [{ glob: 'shop.order', place: 'a:1', key: 'expect' }];
    const noticesOf = (isOfPart: boolean) => applyPolicy([SHOP], { ...policy, globs, isOfPart })[0]?.notices;
    expect([noticesOf(false)?.length, noticesOf(true)]).toEqual([1, undefined]);
  });
});
