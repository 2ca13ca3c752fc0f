import { MongoMissingDependencyError, MongoNetworkError } from 'mongodb';
import { expect, it } from 'vitest';
import { connect } from '../../src/connect/connect.js';
import { missingPackage } from '../../src/connect/needed-packages.js';

/** Waiting for so long would end the test. */
const FAR_LIMIT = 600_000;
/** Nothing answers there. */
const NOWHERE = 'ada@127.0.0.1:1';

it.each([
  ['authMechanism=GSSAPI', 'kerberos'],
  ['compressors=zlib,snappy', 'snappy', 'compressors=snappy'],
  ['proxyHost=127.0.0.1&proxyPort=1080', 'socks', 'proxyHost'],
] as const)('says before it connects that %s needs %s', async (options, name, shown: string = options) => {
  const uri = `mongodb://${NOWHERE}/?${options}`;
  await expect(connect({ uri, timeout: FAR_LIMIT, maxTime: FAR_LIMIT, concurrency: 1 })).rejects.toMatchObject({
    name: 'LintError',
    message: `${shown} needs the package ${name}: npm install --global ${name}.`,
  });
});

it('says that AWS needs the package of its SDK', async () => {
  const uri = 'mongodb://127.0.0.1:1/?authMechanism=MONGODB-AWS';
  await expect(connect({ uri, timeout: FAR_LIMIT, maxTime: FAR_LIMIT, concurrency: 1 })).rejects.toThrow(
    'authMechanism=MONGODB-AWS needs the package @aws-sdk/credential-providers: npm install --global @aws-sdk/credential-providers.',
  );
});

it('words what the driver says of a missing package, however deep', () => {
  const missing = new MongoMissingDependencyError('Optional module', {
    cause: new Error('no'),
    dependencyName: 'zstd',
  });
  const wrapped = new MongoNetworkError('closed', { cause: missing });
  expect(missingPackage(wrapped)).toBe(
    'compressors=zstd needs the package @mongodb-js/zstd: npm install --global @mongodb-js/zstd',
  );
  expect(missingPackage(new Error('other'))).toBeNull();
});
