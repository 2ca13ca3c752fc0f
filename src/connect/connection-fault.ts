import { BSON, MongoParseError } from 'mongodb';
import type { ConnectionString } from 'mongodb-connection-string-url';
import { missingPackage } from './needed-packages.js';
import { causesOf, connectionReason } from './shown-error.js';

/** Why a host can't be used, and what to do. */
export interface ConnectionFault {
  /** Half a sentence that quotes nothing of the connection string but the host. */
  readonly text: string;
  /** After so many attempts in a row that end so, more can't help; Infinity if it may pass by itself. */
  readonly finalAfter: number;
}

const AT_ONCE = 1;
/** A proxy whose server is starting ends connections too. */
const IN_A_ROW = 3;
const MAY_PASS = Number.POSITIVE_INFINITY;

interface Known {
  readonly codes: readonly string[];
  readonly mayPass?: true;
  text(host: string, uri: ConnectionString): string;
}

/** By the codes of Node.js and OpenSSL. */
const KNOWN: readonly Known[] = [
  {
    codes: [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
    text: (host, uri) =>
      uri.searchParams.has('tlsCAFile')
        ? `the certificate of ${host} is not signed by a CA in the file that tlsCAFile names: use the CA of that server`
        : `the certificate of ${host} is signed by a CA that is unknown here: add tlsCAFile=/path/to/ca.pem`,
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    text: (host) =>
      `the certificate of ${host} has expired or is not valid yet: renew it there, or check this machine's clock`,
  },
  {
    codes: ['CERT_REVOKED'],
    text: (host) => `the certificate of ${host} is revoked: replace it there`,
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID'],
    text: (host) =>
      `the certificate of ${host} is issued for other host names: connect by a name that it lists, or add tlsAllowInvalidHostnames=true`,
  },
  {
    codes: ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO'],
    text: (host) => `${host} does not speak TLS: remove tls=true, and check that the port is MongoDB's`,
  },
  {
    codes: [
      'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
      'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
      'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
      'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
      'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN',
    ],
    text: (host) =>
      `${host} requires a client certificate that its CA signed: add tlsCertificateKeyFile=/path/to/client.pem`,
  },
  {
    codes: [
      'ERR_OSSL_BAD_DECRYPT',
      'ERR_OSSL_EVP_BAD_DECRYPT',
      'ERR_MISSING_PASSPHRASE',
      'ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED',
    ],
    text: () =>
      'the key in the file that tlsCertificateKeyFile names is encrypted: check tlsCertificateKeyFilePassword',
  },
  {
    codes: ['ERR_OSSL_UNSUPPORTED', 'ERR_OSSL_PEM_NO_START_LINE', 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'],
    text: () => 'the file that tlsCertificateKeyFile names must hold a certificate and its private key, both as PEM',
  },
  {
    // MaxStalenessOutOfRange, which the server says to the driver's first command.
    codes: ['160'],
    text: () => 'maxStalenessSeconds must be at least 90',
  },
  {
    codes: ['ENOTFOUND'],
    text: (host) => `no address is known for ${host} (ENOTFOUND): check the host name, and the DNS of this machine`,
  },
  {
    codes: ['EAI_AGAIN', 'ESERVFAIL', 'ETIMEOUT'],
    mayPass: true,
    text: (host) => `DNS did not answer for ${host}: check this machine's network`,
  },
  {
    codes: ['ECONNREFUSED'],
    mayPass: true,
    text: (host, uri) =>
      uri.searchParams.has('proxyHost')
        ? 'nothing listens at proxyHost and proxyPort (ECONNREFUSED): start the proxy, or correct them'
        : `nothing listens on ${host} (ECONNREFUSED): check host and port, and that the server runs`,
  },
  {
    codes: ['ENOENT'],
    mayPass: true,
    text: () => 'the Unix socket does not exist (ENOENT): check its path, and that the server runs',
  },
  {
    codes: ['EACCES'],
    mayPass: true,
    text: (host) => `${host} may not be opened by this user of the machine (EACCES)`,
  },
  {
    codes: ['EHOSTUNREACH', 'ENETUNREACH'],
    mayPass: true,
    text: (host) => `there is no route to ${host}: check VPN and network`,
  },
  {
    codes: ['ETIMEDOUT'],
    mayPass: true,
    text: (host) => unanswered(host),
  },
];

const CLOSED = /^connection (?:\d+|<monitor>) to .* closed$/;
const SILENT = /timed out/;

/** @param host as it may be shown */
export function connectionFault(error: unknown, host: string, uri: ConnectionString): ConnectionFault {
  const needed = missingPackage(error);
  if (needed !== null) return { text: needed, finalAfter: AT_ONCE };
  const chain = causesOf(error);
  const codes = new Set(chain.map(({ code }) => String(code)));
  const known = KNOWN.find((each) => each.codes.some((code) => codes.has(code)));
  if (known !== undefined)
    return { text: known.text(host, uri), finalAfter: known.mayPass === true ? MAY_PASS : AT_ONCE };
  if (codes.has('ECONNRESET') || chain.some(({ message }) => CLOSED.test(message))) {
    return { text: closed(host, asksForTls(uri)), finalAfter: IN_A_ROW };
  }
  if (chain.some((each) => each instanceof MongoParseError || each instanceof BSON.BSONError)) {
    return { text: `${host} does not answer as MongoDB does: check the port`, finalAfter: AT_ONCE };
  }
  if (chain.some(({ message }) => SILENT.test(message))) return { text: unanswered(host), finalAfter: MAY_PASS };
  const said = connectionReason(error, uri.href);
  return { text: said, finalAfter: /wire version/.test(said) ? AT_ONCE : MAY_PASS };
}

function closed(host: string, asksTls: boolean): string {
  const advice = asksTls ? 'it has no TLS (remove tls=true)' : 'it requires TLS (add tls=true)';
  return `${host} closed the connection during the handshake: either ${advice}, or all its connections are in use, or the port is not MongoDB's`;
}

export function unanswered(host: string): string {
  return `${host} does not answer: check host and port, firewall, VPN, and the IP access list of Atlas`;
}

function asksForTls(uri: ConnectionString): boolean {
  const asked = uri.searchParams.get('tls') ?? uri.searchParams.get('ssl');
  return asked === null ? uri.isSRV : asked === 'true';
}
