import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { isBefore, TESTED_VERSIONS, untestedSide } from '../../src/connect/server-version.js';
import { packageRoot } from '../../src/files/package-root.js';

it.each([
  ['4.4.29', 'older'],
  ['6.0.4', 'older'],
  ['6.0.5', null],
  ['6.0.27', null],
  ['7.0.28', null],
  ['7.0.29', 'newer'],
  ['8.0.4', 'newer'],
  ['9.0.0-rc1', 'newer'],
])('%s is %s', (version, side) => {
  expect(untestedSide(version)).toBe(side);
});

it('are said in README', () => {
  const readme = readFileSync(join(packageRoot(), 'README.md'), 'utf8');
  for (const version of Object.values(TESTED_VERSIONS)) expect(readme).toContain(version);
});

it('hold the server that these tests run on, unless it is newer', () => {
  const shared = inject('sharedReplicaSet');
  const version = 'version' in shared ? shared.version : TESTED_VERSIONS.oldest;
  expect(isBefore(version, TESTED_VERSIONS.oldest)).toBe(false);
});
