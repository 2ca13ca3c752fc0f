import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { applyPolicy } from '../../src/policy/apply-policy.js';
import { enabledChecks, isEnabled, settingFor, type CheckSettings } from '../../src/findings/check-settings.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';

const settings: CheckSettings = {
  'unbounded-array': {
    severity: 'warning',
    thresholds: { embeddedInfo: 50, embeddedWarning: 60 },
    namespaces: [
      { glob: 'logs', severity: 'info', thresholds: { embeddedInfo: 1 } },
      { glob: 'logs.audit*', severity: 'off' },
      { glob: '*.archive', thresholds: { embeddedWarning: 9 } },
    ],
  },
  'deep-nesting': { severity: 'off', namespaces: [{ glob: 'shop.*', severity: 'error' }] },
  'bloated-document': { severity: 'off' },
  'outlier-document': { severity: 'off', namespaces: [{ glob: 'shop.*', thresholds: { ratio: 3 } }] },
};

describe('settingFor', () => {
  it.each([
    ['unbounded-array', 'shop.orders', { severity: 'warning', thresholds: { embeddedInfo: 50, embeddedWarning: 60 } }],
    ['unbounded-array', 'logs.access', { severity: 'info', thresholds: { embeddedInfo: 1, embeddedWarning: 60 } }],
    ['unbounded-array', 'logs.audit.2026', { severity: 'off', thresholds: { embeddedInfo: 1, embeddedWarning: 60 } }],
    ['unbounded-array', 'logs.archive', { severity: 'info', thresholds: { embeddedInfo: 1, embeddedWarning: 9 } }],
    ['deep-nesting', 'shop.orders', { severity: 'error', thresholds: {} }],
    ['deep-nesting', 'crm.leads', { severity: 'off' }],
    ['oversized-document', 'shop.orders', {}],
  ])('%s on %s', (check, namespace, expected) => {
    expect(settingFor(settings, check, namespace)).toEqual(expected);
  });
});

describe('which checks run', () => {
  it.each([
    ['unbounded-array', 'shop.orders', true],
    ['unbounded-array', 'logs.audit', false],
    ['deep-nesting', 'shop.orders', true],
    ['deep-nesting', 'crm.leads', false],
    ['outlier-document', 'shop.orders', false],
    ['oversized-document', 'crm.leads', true],
  ])('%s on %s: %s', (check, namespace, expected) => {
    expect(isEnabled(settings, check, namespace)).toBe(expected);
  });

  it('leaves out those that are off everywhere', () => {
    const enabled = enabledChecks(builtInChecks, settings).map(({ id }) => id);
    expect(enabled).toEqual(expect.arrayContaining(['unbounded-array', 'deep-nesting', 'oversized-document']));
    expect(enabled).not.toEqual(expect.arrayContaining(['bloated-document']));
    expect(enabled).not.toEqual(expect.arrayContaining(['outlier-document']));
  });
});

describe('severities', () => {
  it('are those of the settings, in the totals and in the order too', () => {
    const findings = [
      policyFinding({ namespace: 'shop.orders' }),
      policyFinding({ check: 'deep-nesting', namespace: 'shop.orders', severity: 'info' }),
      policyFinding({ namespace: 'logs.access' }),
      policyFinding({ check: 'oversized-document', namespace: 'crm.leads', severity: 'warning' }),
    ];
    const run = policyRun(['shop.orders', 'logs.access', 'crm.leads'], { findings });
    const [report] = applyPolicy([run], {
      checks: [],
      settings,
      suppressions: [],
      baseline: null,
      today: '2026-01-01',
    });
    expect(report?.findings.map(({ check, namespace, severity }) => `${severity} ${check} ${namespace}`)).toEqual([
      'error deep-nesting shop.orders',
      'warning oversized-document crm.leads',
      'warning unbounded-array shop.orders',
      'info unbounded-array logs.access',
    ]);
    expect(report?.summary.findings).toEqual({ error: 1, warning: 2, info: 1 });
  });
});
