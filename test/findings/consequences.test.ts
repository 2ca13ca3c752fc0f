import { describe, expect, it } from 'vitest';
import type { Severity } from '../../src/finding/severity.js';
import { separated, standsForPlaces } from '../../src/findings/further-reasons.js';
import { rankedFindings } from '../../src/findings/ranked-findings.js';
import type { StampedFinding } from '../../src/findings/stamp.js';
import { operationShape } from '../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder } from '../../src/workload/shapes/placeholder.js';
import type { Operation } from '../../src/workload/workload.js';
import { findingOf } from '../support/report/sample-report.js';

const operationOn = (field: string): Operation => ({
  shape: operationShape(
    { kind: 'find', namespace: 'shop.orders', command: { filter: { [field]: 1 } }, truncated: false },
    literalPlaceholder,
  ),
  figures: {},
});
const [join, other] = [operationOn('a'), operationOn('b')];

function found(check: string, more: Partial<StampedFinding> & { readonly severity?: Severity } = {}): StampedFinding {
  const { namespace = 'shop.orders', path = null } = more;
  return {
    ...findingOf({ severity: 'warning' }),
    check,
    fingerprint: `${check} ${namespace}`,
    namespace,
    path,
    ...more,
  };
}

/** Each finding that stands by itself, with the checks of its further reasons. */
function told(...findings: readonly StampedFinding[]): string[][] {
  return rankedFindings(findings, null, () => null).findings.map(({ check, furtherReasons = [] }) => [
    check,
    ...furtherReasons.map((reason) => reason.check),
  ]);
}

const cause = (more: Partial<StampedFinding> = {}) =>
  found('missing-lookup-index', { namespace: 'shop.items', path: 'sku', operations: [join], ...more });
const consequence = (more: Partial<StampedFinding> = {}) =>
  found('heavy-lookup', { explainedBy: ['missing-lookup-index'], operations: [join], ...more });

// The labels were written before the first run of the code.
describe('a finding that another one causes', () => {
  it.each<[string, StampedFinding[], string[][]]>([
    ['about the same operations', [consequence(), cause()], [['missing-lookup-index', 'heavy-lookup']]],
    ['of a worse cause', [consequence(), cause({ severity: 'error' })], [['missing-lookup-index', 'heavy-lookup']]],
    [
      'about the same place, without operations',
      [
        found('typed-values-as-strings', { path: 'sku', explainedBy: ['lookup-type-mismatch'] }),
        found('lookup-type-mismatch', { path: 'sku' }),
      ],
      [['lookup-type-mismatch', 'typed-values-as-strings']],
    ],
  ])('%s is a further reason of it', (_, findings, expected) => {
    expect(told(...findings)).toEqual(expected);
  });

  it.each<[string, StampedFinding[]]>([
    ['if it is worse than the cause', [consequence({ severity: 'error' }), cause()]],
    ['if it is also about other operations', [consequence({ operations: [join, other] }), cause()]],
    ['if nothing was recorded, and the place is another', [consequence({ operations: [] }), cause({ operations: [] })]],
    ['if it names no cause', [consequence({ explainedBy: [] }), cause()]],
  ])('stands by itself %s', (_, findings) => {
    expect(told(...findings)).toHaveLength(2);
  });

  it('keeps its namespace, its remedy and its fingerprint, as one of several reasons and not of several places', () => {
    const [whole] = rankedFindings([consequence(), cause()], null, () => null).findings;
    if (whole === undefined) throw new Error('Nothing was found.');
    expect(separated(whole).map(({ check, namespace, fingerprint }) => [check, namespace, fingerprint])).toEqual([
      ['missing-lookup-index', 'shop.items', 'missing-lookup-index shop.items'],
      ['heavy-lookup', 'shop.orders', 'heavy-lookup shop.orders'],
    ]);
    expect(standsForPlaces(whole)).toBe(false);
    expect(whole).not.toHaveProperty('explainedBy');
  });
});
