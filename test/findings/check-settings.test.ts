import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import {
  enabledChecks,
  resolvedSettings,
  settingsOf,
  type CheckSettings,
  type ResolvedSettings,
} from '../../src/findings/check-settings.js';

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

const DEFAULTS = { embeddedInfo: 250, embeddedWarning: 1_000 };
const threshold = (value: number) => ({
  default: value,
  unit: 'elements' as const,
  description: 'a line',
  source: 'judgement',
});
const thresholds = {
  embeddedInfo: threshold(DEFAULTS.embeddedInfo),
  embeddedWarning: threshold(DEFAULTS.embeddedWarning),
};

describe('settingsOf', () => {
  it.each<[string, string | null, Omit<ResolvedSettings, 'values'>]>([
    [
      'unbounded-array',
      null,
      { off: false, severity: 'warning', thresholds: { embeddedInfo: 50, embeddedWarning: 60 } },
    ],
    [
      'unbounded-array',
      'shop.orders',
      { off: false, severity: 'warning', thresholds: { embeddedInfo: 50, embeddedWarning: 60 } },
    ],
    [
      'unbounded-array',
      'logs.access',
      { off: false, severity: 'info', thresholds: { embeddedInfo: 1, embeddedWarning: 60 } },
    ],
    ['unbounded-array', 'logs.audit.2026', { off: true, thresholds: { embeddedInfo: 1, embeddedWarning: 60 } }],
    [
      'unbounded-array',
      'logs.archive',
      { off: false, severity: 'info', thresholds: { embeddedInfo: 1, embeddedWarning: 9 } },
    ],
    ['deep-nesting', 'shop.orders', { off: false, severity: 'error', thresholds: DEFAULTS }],
    ['deep-nesting', 'crm.leads', { off: true, thresholds: DEFAULTS }],
    ['deep-nesting', null, { off: true, thresholds: DEFAULTS }],
    ['outlier-document', 'shop.orders', { off: true, thresholds: DEFAULTS }],
    ['oversized-document', 'shop.orders', { off: false, thresholds: DEFAULTS }],
  ])('%s on %s', (id, namespace, expected) => {
    expect(settingsOf({ id, thresholds }, namespace, settings)).toEqual({
      ...expected,
      values: JSON.stringify(expected.thresholds),
    });
  });
});

describe('the settings of a run', () => {
  const check = { id: 'unbounded-array', thresholds };

  it('are those that settingsOf gives', () => {
    const run = resolvedSettings(settings);
    for (const id of [...Object.keys(settings), 'oversized-document']) {
      for (const namespace of [null, 'shop.orders', 'logs.access', 'logs.audit.2026', 'crm.archive', 'shop.orders']) {
        expect(run.of({ id, thresholds }, namespace)).toEqual(settingsOf({ id, thresholds }, namespace, settings));
      }
    }
  });

  it('are resolved once for each check and namespace', () => {
    const run = resolvedSettings(settings);
    expect(run.of(check, 'logs.access')).toBe(run.of(check, 'logs.access'));
    expect(run.of(check, 'logs.access')).not.toBe(run.of(check, 'logs.other'));
  });

  it('are resolved once for each check if nothing is set for namespaces', () => {
    const run = resolvedSettings({ 'unbounded-array': { thresholds: { embeddedInfo: 50 } } });
    expect(run.of(check, 'logs.access')).toBe(run.of(check, null));
    expect(resolvedSettings({}).of(check, 'shop.orders').thresholds).toEqual(DEFAULTS);
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
  ])('%s on %s: %s', (id, namespace, expected) => {
    expect(settingsOf({ id }, namespace, settings).off).toBe(!expected);
  });

  it('leaves out those that are off everywhere', () => {
    const enabled = enabledChecks(builtInChecks, settings).map(({ id }) => id);
    expect(enabled).toEqual(expect.arrayContaining(['unbounded-array', 'deep-nesting', 'oversized-document']));
    expect(enabled).not.toEqual(expect.arrayContaining(['bloated-document']));
    expect(enabled).not.toEqual(expect.arrayContaining(['outlier-document']));
  });
});
