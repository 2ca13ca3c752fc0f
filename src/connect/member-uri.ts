import type { MongoClient } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';

/** Options that say how to find a deployment, and make no sense for one of its members. */
const DISCOVERY_OPTIONS = [
  'replicaSet',
  'loadBalanced',
  'srvMaxHosts',
  'srvServiceName',
  'readPreference',
  'readPreferenceTags',
  'maxStalenessSeconds',
];

/** @param options of the set's client: a DNS seed list adds some that the URI does not hold */
export function memberUri(
  uri: string,
  host: string,
  { tls, credentials }: Pick<MongoClient['options'], 'tls' | 'credentials'>,
): string {
  const member = new ConnectionString(uri.replace(/^mongodb\+srv:/, 'mongodb:'));
  member.hosts = [host];
  for (const name of DISCOVERY_OPTIONS) member.searchParams.delete(name);
  member.searchParams.set('directConnection', 'true');
  if (tls === true && !member.searchParams.has('ssl')) member.searchParams.set('tls', 'true');
  if (credentials !== undefined) member.searchParams.set('authSource', credentials.source);
  return member.href;
}
