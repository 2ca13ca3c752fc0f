import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { builtInChecks } from '../../checks/index.js';
import { createProgram } from '../../src/cli/program.js';
import { packageRoot } from '../../src/files/package-root.js';

interface Service {
  readonly image: string;
  readonly command?: string;
  readonly entrypoint?: readonly string[];
  readonly depends_on?: Record<string, { condition: string }>;
  readonly volumes?: readonly string[];
  readonly environment?: Record<string, string>;
  readonly ports?: unknown;
}

const read = (path: string) => readFileSync(join(packageRoot(), path), 'utf8');
const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };
const entries = Object.entries(services);
const workflow = parse(read('.github/workflows/ci.yml')) as {
  jobs: Record<string, { strategy?: { matrix: { mongodb?: string[]; node?: string[] } }; steps: { run?: string }[] }>;
};
const program = createProgram(
  { stdout: { write: () => true }, stderr: { write: () => true }, env: {}, cwd: () => '.' },
  () => {},
);

describe('docker-compose.yml', () => {
  it('has a replica set, a config server, two shards and a real router', () => {
    const commands = entries.map(([, { command = '', entrypoint = [] }]) => `${command} ${entrypoint.join(' ')}`);
    expect(commands.filter((text) => text.includes('--replSet rs '))).toHaveLength(3);
    expect(commands.filter((text) => text.includes('--configsvr'))).toHaveLength(1);
    expect(commands.filter((text) => text.includes('--shardsvr'))).toHaveLength(2);
    expect(services['mongos']?.command).toMatch(/^mongos --configdb cfg\//);
  });

  it('waits for services that there are, and publishes nothing', () => {
    for (const [, { depends_on = {}, ports }] of entries) {
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
      expect(ports).toBeUndefined();
    }
  });

  it('runs scripts that there are', () => {
    const scripts = entries.flatMap(([, { command = '' }]) => command.match(/\/setup\/(\S+)/)?.[1] ?? []);
    expect(scripts).toHaveLength(3);
    for (const script of scripts) expect(existsSync(join(packageRoot(), 'deploy/compose', script))).toBe(true);
  });

  it('seeds by a module that the image holds', async () => {
    for (const name of ['seed-replica-set', 'seed-sharded-cluster']) {
      const [, path = ''] =
        /from '\/opt\/mongolint\/(dist\/bundle\/\S+\.js)'/.exec(services[name]?.entrypoint?.join(' ') ?? '') ?? [];
      expect(await import(pathToFileURL(join(packageRoot(), path)).href)).toHaveProperty('seedCluster');
    }
  });

  it('lints with options that mongolint has, as a user who can only read', () => {
    const known = new Set(program.options.map(({ long }) => long));
    for (const name of ['lint-replica-set', 'lint-sharded-cluster']) {
      for (const option of services[name]?.command?.match(/--\S+/g) ?? []) expect(known).toContain(option);
    }
    expect(services['lint-replica-set']?.environment?.['MONGODB_URI']).toMatch(/^mongodb:\/\/lint:/);
    expect(read('deploy/compose/replica-set.js')).toMatch(
      /user: 'lint'[^]*?roles: \['readAnyDatabase', 'clusterMonitor'\]/,
    );
  });

  it('is explained in README', () => {
    expect(read('README.md')).toContain('](docker-compose.yml)');
  });
});

describe('the workflow', () => {
  it('runs the live tests and the compose file on MongoDB 6, 7, 8 and 9', () => {
    for (const job of ['live', 'cluster'])
      expect(workflow.jobs[job]?.strategy?.matrix.mongodb).toEqual(['6', '7', '8', '9']);
  });

  it('runs the gate on Node 20, 22 and 24, the oldest as package.json asks for it', () => {
    const gate = workflow.jobs['gate'];
    expect(gate?.steps.map(({ run }) => run)).toContain('bash .ci/run');
    expect(gate?.strategy?.matrix).toEqual({ node: ['20.19', '22', '24'] });
    expect((JSON.parse(read('package.json')) as { engines: object }).engines).toEqual({ node: '>=20.19' });
  });

  it('looks for checks that there are', () => {
    const looked = workflow.jobs['cluster']?.steps.map(({ run = '' }) => run).join('\n') ?? '';
    const names = [...looked.matchAll(/for check in ([^;]+);/g)].flatMap(([, list]) => (list as string).split(' '));
    expect(names.length).toBeGreaterThan(4);
    expect(builtInChecks.map(({ id }) => id)).toEqual(expect.arrayContaining(names));
  });
});
