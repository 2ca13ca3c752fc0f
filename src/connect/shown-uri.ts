import { ConnectionString } from 'mongodb-connection-string-url';
import { HIDDEN } from '../text/hidden-uris.js';

/** Source: MongoDB manual, "Connection String Options", and the driver's URI options specification. */
export const URI_OPTIONS: readonly string[] = [
  'appName',
  'authMechanism',
  'authMechanismProperties',
  'authSource',
  'compressors',
  'connectTimeoutMS',
  'directConnection',
  'heartbeatFrequencyMS',
  'journal',
  'loadBalanced',
  'localThresholdMS',
  'maxConnecting',
  'maxIdleTimeMS',
  'maxPoolSize',
  'maxStalenessSeconds',
  'minPoolSize',
  'proxyHost',
  'proxyPassword',
  'proxyPort',
  'proxyUsername',
  'readConcernLevel',
  'readPreference',
  'readPreferenceTags',
  'replicaSet',
  'retryReads',
  'retryWrites',
  'serverMonitoringMode',
  'serverSelectionTimeoutMS',
  'socketTimeoutMS',
  'srvAllowedHostsSuffix',
  'srvMaxHosts',
  'srvServiceName',
  'ssl',
  'timeoutMS',
  'tls',
  'tlsAllowInvalidCertificates',
  'tlsAllowInvalidHostnames',
  'tlsCAFile',
  'tlsCRLFile',
  'tlsCertificateKeyFile',
  'tlsCertificateKeyFilePassword',
  'tlsInsecure',
  'w',
  'waitQueueTimeoutMS',
  'wtimeoutMS',
  'zlibCompressionLevel',
];

/** Those that say which members are read. */
export const PREFERENCE_OPTIONS = ['readPreference', 'readPreferenceTags', 'maxStalenessSeconds'];

const SCHEME = /^mongodb(?:\+srv)?:\/\//;
/** A name or an address with a port, or without. What else stands there may be a user and a password. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const SOCKET = /^%2F[\w.%-]+\.sock$/i;

/**
 * A connection string as it may be shown: scheme, hosts and the names of its options. Everything that mongolint prints of
 * one comes from here. Of a malformed one nothing is shown, since any part of it may be the password.
 */
export function shownUri(uri: string): string {
  const parsed = parsedUri(uri);
  const hosts = parsed === null ? null : shownHosts(parsed);
  if (parsed === null || hosts === null) return HIDDEN;
  const names = [...new Set(optionNames(parsed).flatMap((name) => knownOption(name) ?? []))];
  const options = names.length === 0 ? '' : ` with ${names.join(', ')}`;
  return `${parsed.protocol}//${hosts}${options}`;
}

export function whereOf(uri: string): string {
  const parsed = parsedUri(uri);
  return (parsed && shownHosts(parsed)) ?? 'the hosts of the connection string';
}

export function hasShownHosts(uri: string): boolean {
  const parsed = parsedUri(uri);
  return parsed !== null && shownHosts(parsed) !== null;
}

/** Whether each host is a name or an address, with a number for a port. */
export function hasHosts({ hosts, isSRV }: ConnectionString): boolean {
  return hosts.every((host) => HOST.test(host) || (!isSRV && SOCKET.test(host)));
}

export function optionNames({ searchParams }: ConnectionString): string[] {
  return [...searchParams.keys()];
}

function parsedUri(uri: string): ConnectionString | null {
  if (!SCHEME.test(uri)) return null;
  try {
    return new ConnectionString(uri);
  } catch {
    return null;
  }
}

function shownHosts(uri: ConnectionString): string | null {
  // An @ behind the hosts: they may be the middle of a password that is not percent-encoded.
  if (!hasHosts(uri) || `${uri.pathname}${uri.search}${uri.hash}`.includes('@')) return null;
  // The name of a deployment has a domain.
  if (uri.isSRV && !uri.hosts.every((host) => host.includes('.'))) return null;
  return uri.hosts.map((host) => (SOCKET.test(host) ? 'a socket' : host)).join(',');
}

/** The option's name as the manual spells it; undefined for any other name, which may be a piece of a password. */
export function knownOption(name: string): string | undefined {
  return URI_OPTIONS.find((option) => option.toLowerCase() === name.toLowerCase());
}
