import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Of the key that is encrypted. */
export const KEY_PASSWORD = 'SENTINEL-key-password';

/** PEM files of a test: certificates with their keys, but for those of the authorities. */
export interface Certificates {
  readonly ca: string;
  /** An authority that signed none of the others. */
  readonly otherCa: string;
  /** Of 127.0.0.1 and localhost. */
  readonly server: string;
  readonly expired: string;
  /** Of db.example.com alone. */
  readonly otherHost: string;
  readonly client: string;
  /** The client's, with a key that `KEY_PASSWORD` opens. */
  readonly clientWithPassword: string;
}

/** Makes an authority and certificates of it with the system's OpenSSL. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const path = (name: string) => join(folder, `${name}.pem`);
  const openssl = (command: string) => run('openssl', command.split(' '), { cwd: folder });
  await writeFile(join(folder, 'openssl.cnf'), '[req]\ndistinguished_name = name\n[name]\n');
  const authority = (name: string) =>
    openssl(
      `req -config openssl.cnf -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=${name} ` +
        `-addext basicConstraints=critical,CA:TRUE -keyout ${name}.key -out ${name}.pem`,
    );
  const signed = async (name: string, hosts: string, days = 3650) => {
    await writeFile(join(folder, `${name}.ext`), `subjectAltName=${hosts}\nextendedKeyUsage=serverAuth,clientAuth\n`);
    await openssl(
      `req -config openssl.cnf -newkey rsa:2048 -nodes -subj /O=mongolint/OU=${name}/CN=${name} -keyout ${name}.key -out ${name}.csr`,
    );
    await openssl(
      `x509 -req -in ${name}.csr -CA ca.pem -CAkey ca.key -days ${days} -set_serial ${name.length} -extfile ${name}.ext -out ${name}.crt`,
    );
    await concatenate(folder, [`${name}.crt`, `${name}.key`], `${name}.pem`);
  };
  await Promise.all([authority('ca'), authority('other-ca')]);
  await Promise.all([
    signed('server', 'DNS:localhost,IP:127.0.0.1'),
    signed('expired', 'DNS:localhost,IP:127.0.0.1', -1),
    signed('elsewhere', 'DNS:db.example.com'),
    signed('client', 'DNS:client'),
  ]);
  await openssl(`pkcs8 -topk8 -in client.key -passout pass:${KEY_PASSWORD} -out locked.key`);
  await concatenate(folder, ['client.crt', 'locked.key'], 'locked.pem');
  return {
    ca: path('ca'),
    otherCa: path('other-ca'),
    server: path('server'),
    expired: path('expired'),
    otherHost: path('elsewhere'),
    client: path('client'),
    clientWithPassword: path('locked'),
  };
}

async function concatenate(folder: string, files: readonly string[], into: string): Promise<void> {
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  await writeFile(join(folder, into), texts.join(''));
}
