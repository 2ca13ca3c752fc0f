import { describe, expect, it } from 'vitest';
import type { AnyCheck } from '../../src/check.js';
import { resolvedSettings } from '../../src/findings/check-settings.js';
import { evidencePlan } from '../../src/findings/evidence-plan.js';
import type { Collection, CollectionKind } from '../../src/inventory/collection.js';

const ofCollection = (id: string, needs: readonly string[], uses: readonly string[] = []) =>
  ({ id, appliesTo: ['collection'], needs, uses, thresholds: {} }) as unknown as AnyCheck;
const ofCluster = (needs: readonly string[], clusterNeeds: readonly string[]) =>
  ({ id: 'of-the-cluster', scope: 'cluster', needs, clusterNeeds, thresholds: {} }) as unknown as AnyCheck;
const shop = (name: string, kind: CollectionKind = 'collection'): Collection => ({
  namespace: `shop.${name}`,
  database: 'shop',
  name,
  kind,
  clustered: false,
});
const FROM_SAMPLE = ['storage', 'sample', 'documents', 'fieldTypes'];

function planned(checks: readonly AnyCheck[], collection: Collection = shop('orders'), settings = {}) {
  const plan = evidencePlan(checks, resolvedSettings(settings));
  const pieces = [...plan.ofCollection(collection)].filter((name) => !plan.ofCluster.has(name));
  return { ofCollection: pieces.sort(), ofCluster: [...plan.ofCluster].sort(), kept: [...plan.kept].sort() };
}

describe('evidencePlan', () => {
  it.each<[string, AnyCheck[], { ofCollection: string[]; ofCluster: string[]; kept: string[] }]>([
    ['nothing', [], { ofCollection: [], ofCluster: [], kept: [] }],
    [
      'what a check needs, and the size of each collection that is read',
      [ofCollection('a', ['indexes'])],
      { ofCollection: ['indexes', 'storage'], ofCluster: [], kept: [] },
    ],
    [
      'the union of what the checks need, with what it rests on',
      [ofCollection('a', ['fieldTypes']), ofCollection('b', ['storage'])],
      { ofCollection: FROM_SAMPLE, ofCluster: [], kept: [] },
    ],
    [
      'the oplog, for growth',
      [ofCollection('a', ['growth'])],
      { ofCollection: ['storage', 'sample', 'documents', 'growth'], ofCluster: ['oplog'], kept: [] },
    ],
    [
      'no growth if it is only used',
      [ofCollection('a', ['documents'], ['growth'])],
      { ofCollection: ['storage', 'sample', 'documents'], ofCluster: [], kept: [] },
    ],
    [
      'the workload, for the reads that a check needs',
      [ofCollection('a', ['reads'])],
      { ofCollection: ['storage', 'reads'], ofCluster: ['workload', 'tracedWorkload', 'readsByCollection'], kept: [] },
    ],
    [
      'no reads if they are only used',
      [ofCollection('a', ['storage'], ['reads'])],
      { ofCollection: ['storage'], ofCluster: [], kept: [] },
    ],
    [
      'reads that are used if the workload is collected anyway',
      [ofCollection('a', ['storage'], ['reads']), ofCluster([], ['workload'])],
      { ofCollection: ['storage', 'reads'], ofCluster: ['workload', 'tracedWorkload', 'readsByCollection'], kept: [] },
    ],
    [
      'and keeps of each collection what the evidence of the cluster rests on',
      [ofCluster(['largestDocuments'], ['children', 'server'])],
      {
        ofCollection: [...FROM_SAMPLE, 'indexes', 'largestDocuments'],
        ofCluster: ['children', 'server', 'workload', 'tracedWorkload'],
        kept: ['fieldTypes', 'indexes', 'storage', 'largestDocuments'],
      },
    ],
    [
      'the references that their integrity rests on',
      [ofCluster([], ['referenceIntegrity'])],
      {
        ofCollection: [...FROM_SAMPLE, 'indexes'],
        ofCluster: ['references', 'referenceIntegrity'],
        kept: ['fieldTypes', 'indexes', 'storage'],
      },
    ],
  ])('collects %s', (_, checks, { ofCollection: pieces, ofCluster: cluster, kept }) => {
    expect(planned(checks)).toEqual({
      ofCollection: pieces.sort(),
      ofCluster: cluster.sort(),
      kept: kept.sort(),
    });
  });

  it('collects of each kind of collection what it can have, and nothing that no check of it needs', () => {
    const checks = [ofCollection('a', ['indexUsage']), ofCluster(['indexes', 'storage', 'fieldTypes'], [])];
    expect(planned(checks, shop('big', 'view')).ofCollection).toEqual([]);
    expect(planned(checks, shop('readings', 'timeseries')).ofCollection).toEqual(['indexes', 'storage']);
  });

  it('leaves out what a check needs that is off there', () => {
    const settings = { a: { namespaces: [{ glob: 'shop.orders', severity: 'off' as const }] } };
    const checks = [ofCollection('a', ['growth']), ofCollection('b', ['indexes'])];
    expect(planned(checks, shop('orders'), settings).ofCollection).toEqual(['indexes', 'storage']);
    expect(planned(checks, shop('parts'), settings).ofCollection).toContain('growth');
  });
});
