import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { findWine } from './wine.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

async function find() {
  return findWine(join(await temporaryFolder(), 'wine'), () => undefined);
}

it('says which commands a machine lacks', async () => {
  vi.stubEnv('PATH', await temporaryFolder());
  await expect(find()).rejects.toThrow(
    /^this machine has no apt-get and no dpkg-deb: it needs Debian or Ubuntu$|^Wine runs it on Debian for x86-64/,
  );
});

it('says what to run if apt does not know the packages', async () => {
  const folder = await temporaryFolder();
  const script = '#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "E: Unable to locate package wine64" >&2\nexit 100\n';
  for (const name of ['apt-get', 'dpkg-deb']) await writeFile(join(folder, name), script, { mode: 0o755 });
  vi.stubEnv('PATH', folder);
  await expect(find()).rejects.toThrow(
    /^apt-get download failed \(Unable to locate package wine64\); run apt-get update$|^Wine runs it on Debian for x86-64/,
  );
});
