import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';

/** Of localhost, signed by itself, until 2126. It guards nothing but tests. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIULffAoR8ESEYT9mlmhuNM0t7lGoAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNDIyMzEzN1oYDzIxMjYxMDMx
MjIzMTM3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASTG0WGpqyhPHMu+dVtniXilAPlDN79CW95rL3iqSu38m3+xufFkHRq
BMtKpVhwXP5iF67P/uB3txnAPyfeZi1qo28wbTAdBgNVHQ4EFgQUSw3qdokP/cZ1
wo6yz6rHlH+iHykwHwYDVR0jBBgwFoAUSw3qdokP/cZ1wo6yz6rHlH+iHykwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAIe8oUjNcLrxHnzT2NMUQNrnJGoCjw+28Vn6eRK9Q5PXAiAo
BBB4r573Itqz/2GY1bk4n8Zo8CyuO5Zgw9QTf3nLNw==
-----END CERTIFICATE-----
`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnC+CPqFaLKaYgvns
YK1TRrNCzckzyIde4G1FCZY6+cahRANCAASTG0WGpqyhPHMu+dVtniXilAPlDN79
CW95rL3iqSu38m3+xufFkHRqBMtKpVhwXP5iF67P/uB3txnAPyfeZi1q
-----END PRIVATE KEY-----
`;

export interface TlsProxy {
  /** Where it listens. */
  readonly address: string;
  close(): void;
}

/** Takes connections over TLS, and passes what they carry on to a server without it. */
export async function tlsProxy(
  server: { readonly host: string; readonly port: number },
  own: { readonly cert: string; readonly key: string } = { cert: CERTIFICATE, key: KEY },
): Promise<TlsProxy> {
  const proxy = createServer(own, (client) => {
    const upstream = connect(server.port, server.host);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return { address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => proxy.close() };
}
