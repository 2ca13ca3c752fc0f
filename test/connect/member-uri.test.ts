import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { memberUri } from '../../src/connect/members.js';

/** The options that the driver makes of the member's connection string, as far as they matter. */
function optionsOfMember(uri: string, host = 'two.example:27018') {
  const { options } = new MongoClient(memberUri(uri, host, new MongoClient(uri).options));
  const { hosts, directConnection, replicaSet, tls, rejectUnauthorized, credentials } = options;
  return { hosts: hosts.map(String), directConnection, replicaSet, tls, rejectUnauthorized, credentials };
}

describe('the connection string of one member', () => {
  it('names that member alone, directly', () => {
    expect(
      optionsOfMember(
        'mongodb://one.example:27017,two.example:27018,three.example/shop?replicaSet=rs0&readPreference=secondary',
      ),
    ).toMatchObject({
      hosts: ['two.example:27018'],
      directConnection: true,
      replicaSet: undefined,
      credentials: undefined,
    });
  });

  it.each([
    ['in the database of the URI', 'mongodb://lint:p%40ss@one.example/shop', 'shop'],
    ['in authSource', 'mongodb://lint:p%40ss@one.example/shop?authSource=users', 'users'],
    ['in admin by default', 'mongodb://lint:p%40ss@one.example/', 'admin'],
  ])('authenticates %s', (_, uri, source) => {
    expect(optionsOfMember(uri).credentials).toMatchObject({ username: 'lint', password: 'p@ss', source });
  });

  it.each([
    [
      'as the URI says',
      'mongodb://one.example/?tls=true&tlsAllowInvalidCertificates=true',
      { tls: true, rejectUnauthorized: false },
    ],
    ['by its old name', 'mongodb://one.example/?ssl=true', { tls: true }],
    ['as a DNS seed list implies', 'mongodb+srv://lint:secret@cluster.example.net/?retryWrites=true', { tls: true }],
    ['unless the URI turns it off', 'mongodb+srv://lint:secret@cluster.example.net/?tls=false', { tls: false }],
    ['or says nothing', 'mongodb://one.example/', { tls: undefined }],
  ])('uses TLS %s', (_, uri, expected) => {
    expect(optionsOfMember(uri)).toMatchObject({ hosts: ['two.example:27018'], ...expected });
  });

  it('takes IPv6 addresses', () => {
    expect(optionsOfMember('mongodb://[::1]:27017,[::1]:27018/?replicaSet=rs0', '[::1]:27018').hosts).toEqual([
      '[::1]:27018',
    ]);
  });
});
