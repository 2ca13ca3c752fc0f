import { describe, expect, it } from 'vitest';
import type { Severity } from '../../src/finding/severity.js';
import { bySample, type SeenPart, WHOLE } from '../../src/judgement/margins.js';

const PART: SeenPart = { share: 0.1, byChance: true };

describe('bySample', () => {
  it.each<[string, SeenPart, Severity | null, Severity | null, object | null]>([
    ['worse without the margin', PART, 'warning', 'error', { severity: 'warning', severityIfSure: 'error' }],
    ['the same without it', PART, 'warning', 'warning', { severity: 'warning' }],
    ['milder without it', PART, 'warning', 'info', { severity: 'warning' }],
    ['nothing without it', PART, 'warning', null, { severity: 'warning' }],
    ['nothing with it', PART, null, 'error', null],
    ['of a collection that was read whole', WHOLE, 'warning', 'error', { severity: 'warning' }],
  ])('%s', (_, seen, sure, ifSure, expected) => {
    const severityIn = (part: SeenPart) => (part === seen ? sure : ifSure);
    const grade = bySample(seen, (part) => {
      const severity = severityIn(part);
      return severity === null ? null : { severity };
    });
    expect(grade).toEqual(expected);
  });
});
