import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CLUSTER_SOURCES } from '../../src/evidence/cluster-sources.js';
import { COLLECTION_SOURCES } from '../../src/evidence/collection-sources.js';
import type { PieceName } from '../../src/evidence/source.js';
import { CLUSTER_EVIDENCE_NAMES, EVIDENCE_NAMES, withFoundations } from '../../src/evidence/sources.js';

const all = [...COLLECTION_SOURCES, ...CLUSTER_SOURCES];

/** The pieces of collections that are begun before this one. */
function before(index: number): readonly PieceName[] {
  return COLLECTION_SOURCES.slice(0, index).map(({ name }) => name);
}

describe('the sources of evidence', () => {
  it('have a name each', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it('give all the evidence that checks can need', () => {
    expect([...EVIDENCE_NAMES].sort()).toEqual([
      'buckets',
      'documents',
      'fieldTypes',
      'growth',
      'indexUsage',
      'indexes',
      'largestDocuments',
      'load',
      'measurements',
      'reads',
      'shardKey',
      'sharding',
      'storage',
    ]);
    expect([...CLUSTER_EVIDENCE_NAMES].sort()).toEqual([
      'children',
      'oplogWindow',
      'referenceIntegrity',
      'references',
      'safety',
      'server',
      'workload',
    ]);
  });

  it('rest on what is collected before them', () => {
    const ofCluster = CLUSTER_SOURCES.map(({ name }) => name);
    const lacking = [
      ...COLLECTION_SOURCES.map((source, index) => [source, [...ofCluster, ...before(index)]] as const),
      ...CLUSTER_SOURCES.map((source, index) => [source, [...before(Infinity), ...ofCluster.slice(0, index)]] as const),
    ].flatMap(([{ name, restsOn }, collected]) =>
      restsOn.filter((one) => !(collected as readonly PieceName[]).includes(one)).map((one) => `${name}: ${one}`),
    );
    expect(lacking).toEqual([]);
  });

  it('can be had wherever what they rest on can', () => {
    const impossible = COLLECTION_SOURCES.flatMap(({ name, restsOn, possibleOn }) =>
      COLLECTION_SOURCES.filter((foundation) => restsOn.includes(foundation.name))
        .filter((foundation) => possibleOn.some((kind) => !foundation.possibleOn.includes(kind)))
        .map((foundation) => `${name} rests on ${foundation.name}`),
    );
    expect(impossible).toEqual([]);
  });

  it('have a schema that can be published', () => {
    const published = all.flatMap(({ name, schema }) =>
      schema === undefined ? [] : [[name, Object.keys(z.toJSONSchema(schema, { unrepresentable: 'any' }))] as const],
    );
    expect(published).toHaveLength(EVIDENCE_NAMES.length + CLUSTER_EVIDENCE_NAMES.length);
    expect(published.filter(([, keys]) => keys.length < 2)).toEqual([]);
  });
});

describe('withFoundations', () => {
  it.each<[PieceName, PieceName[]]>([
    ['server', ['server']],
    ['fieldTypes', ['storage', 'sample', 'documents', 'fieldTypes']],
    ['reads', ['workload', 'tracedWorkload', 'readsByCollection', 'reads']],
    [
      'referenceIntegrity',
      ['storage', 'sample', 'documents', 'fieldTypes', 'indexes', 'references', 'referenceIntegrity'],
    ],
  ])('of %s', (name, expected) => {
    expect([...withFoundations([name])]).toEqual(expected);
  });
});
