import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { enabledChecks, settingsOf, type CheckSettings } from '../../src/findings/check-settings.js';
import { selectedSettings, type CheckSelection } from '../../src/findings/evidence-plan.js';

const ids = builtInChecks.filter(({ optional }) => optional !== true).map(({ id }) => id);
const select = (selection: Partial<CheckSelection>, configured: CheckSettings = {}) =>
  selectedSettings(builtInChecks, configured, { check: [], skipCheck: [], severity: [], ...selection });
const running = (selection: Partial<CheckSelection>, configured: CheckSettings = {}) =>
  enabledChecks(builtInChecks, select(selection, configured)).map(({ id }) => id);

describe('the checks that a call selects', () => {
  it.each<[string, Partial<CheckSelection>, CheckSettings, readonly string[]]>([
    ['nothing said: all', {}, {}, ids],
    ['one by its id', { check: ['unbounded-array'] }, {}, ['unbounded-array']],
    ['by globs', { check: ['*-index', 'deep-*'] }, {}, ids.filter((id) => /-index$|^deep-/.test(id))],
    ['all but one', { skipCheck: ['unused-index'] }, {}, ids.filter((id) => id !== 'unused-index')],
    [
      'a glob without one of its checks',
      { check: ['*-index'], skipCheck: ['unused-*'] },
      {},
      ids.filter((id) => id.endsWith('-index') && id !== 'unused-index'),
    ],
    [
      'not those that are off in the configuration',
      { check: ['*-index'] },
      { 'unused-index': { severity: 'off' } },
      ids.filter((id) => id.endsWith('-index') && id !== 'unused-index'),
    ],
    [
      'one that is off, given a severity',
      { check: ['unused-index'], severity: [{ check: 'unused-index', severity: 'info' }] },
      { 'unused-index': { severity: 'off' } },
      ['unused-index'],
    ],
    [
      'one that is on for some namespaces only, skipped everywhere',
      { skipCheck: ['unused-index'] },
      { 'unused-index': { severity: 'off', namespaces: [{ glob: 'a.*', severity: 'info' }] } },
      ids.filter((id) => id !== 'unused-index'),
    ],
    [
      'off by its severity',
      {
        severity: [
          { check: '*', severity: 'off' },
          { check: 'deep-skip', severity: 'error' },
        ],
      },
      {},
      ['deep-skip'],
    ],
  ])('%s', (_, selection, configured, expected) => {
    expect(running(selection, configured)).toEqual(expected);
  });

  it('a severity of the call wins on every namespace, and leaves thresholds', () => {
    const thresholds = { elements: 5 };
    const namespaces = [{ glob: 'a.*', severity: 'error' as const, thresholds }];
    const settings = select(
      { severity: [{ check: 'unbounded-*', severity: 'info' }] },
      { 'unbounded-array': { namespaces } },
    );
    expect(settings['unbounded-array']).toEqual({ severity: 'info', namespaces: [{ glob: 'a.*', thresholds }] });
    expect(settingsOf({ id: 'unbounded-array' }, 'a.b', settings).severity).toBe('info');
  });

  it.each<[string, Partial<CheckSelection>, CheckSettings, boolean]>([
    ['is off if nothing asks for it', {}, {}, true],
    ['is off beside a glob', { check: ['missing-*'] }, {}, true],
    ['is on if the call names it', { check: ['missing-validator'] }, {}, false],
    ['is on with a severity', { severity: [{ check: 'missing-validator', severity: 'warning' }] }, {}, false],
    ['is on if it is configured', {}, { 'missing-validator': {} }, false],
    ['is off if the configuration says so', {}, { 'missing-validator': { severity: 'off' } }, true],
    ['is off if it is skipped', { skipCheck: ['missing-validator'] }, { 'missing-validator': {} }, true],
  ])('an optional check %s', (_, selection, configured, isOff) => {
    const settings = select(selection, configured);
    expect(settingsOf({ id: 'missing-validator', optional: true }, null, settings).off).toBe(isOff);
    expect(enabledChecks(builtInChecks, settings).some(({ id }) => id === 'missing-validator')).toBe(!isOff);
  });

  it.each<[string, Partial<CheckSelection>, boolean, boolean]>([
    ['alone', { group: 'safety' }, true, true],
    ['beside a check', { group: 'safety', check: ['deep-skip'] }, true, false],
    ['and one of it skipped', { group: 'safety', skipCheck: ['unsafe-*'] }, false, true],
    ['not at all', {}, false, true],
  ])('a group is asked for %s', (_, selection, runsGroup, runsOthers) => {
    const enabled = new Set(enabledChecks(builtInChecks, select(selection, {})).map(({ id }) => id));
    expect(['unsafe-server', 'unused-index'].map((id) => enabled.has(id))).toEqual([runsGroup, runsOthers]);
  });

  it.each<[Partial<CheckSelection>, CheckSettings, string]>([
    [{ check: ['unused-indx'] }, {}, '--check: no check matches "unused-indx"; did you mean "unused-index"?'],
    [{ skipCheck: ['nothing-*'] }, {}, '--skip-check: no check matches "nothing-*"'],
    [{ severity: [{ check: 'x', severity: 'off' }] }, {}, '--severity: no check matches "x"'],
    [
      { check: ['deep-skip'] },
      { 'deep-skip': { severity: 'off' } },
      '--check deep-skip: it is off in the configuration. To run it, add --severity deep-skip=warning.',
    ],
    [
      { check: ['deep-skip'], skipCheck: ['deep-*'] },
      {},
      'No check left to run: --check and --skip-check exclude all of them.',
    ],
  ])('refuses %j', (selection, configured, message) => {
    expect(() => select(selection, configured)).toThrow(message);
  });
});
