import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';

const run = promisify(execFile);

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'] as const;

/** No sandbox, since CI often runs as root; nothing that calls home. */
const LAUNCH_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The longest that a first use may take, which installs a browser. In ms. */
export const CHROMIUM_TIMEOUT = 300_000;

/**
 * Starts a real Chromium: the one on the PATH, or Debian's, which is installed first where the user may do that.
 *
 * @throws Error that says what to install, where there is none
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = onPath(NAMES) ?? (await installed());
  return chromium.launch({ executablePath, headless: true, args: LAUNCH_FLAGS });
}

async function installed(): Promise<string> {
  const apt = onPath(['apt-get']);
  if (apt === undefined || process.getuid?.() !== 0) {
    throw new Error(`The HTML report is tested in a browser: put ${NAMES.join(' or ')} on the PATH.`);
  }
  process.stderr.write("installing Debian's chromium\n");
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run(apt, ['update', '-qq'], { env });
    await run(apt, ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env });
  } catch (error) {
    throw new Error('The HTML report is tested in a browser, and apt-get could not install chromium.', {
      cause: error,
    });
  }
  const path = onPath(NAMES);
  if (path === undefined) throw new Error('apt-get installed chromium, yet there is none on the PATH.');
  return path;
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Not executable by this user, which is the answer.
    return false;
  }
}
