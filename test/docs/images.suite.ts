/** `npm run record-images`: the pictures of README, recorded from the demo. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { runDemo } from '../../src/demo/demo.js';
import { packageRoot } from '../../src/files/package-root.js';
import { renderHtml } from '../../src/report/html/html-report.js';
import { renderTable } from '../../src/report/table.js';
import { CHROMIUM_TIMEOUT, launchChromium } from '../support/chromium.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { terminalImage } from './terminal-image.js';

const COLUMNS = 88;
/** The first screen of the page on a desktop. */
const WINDOW = { width: 1280, height: 860 };
const MOST_BYTES = 300_000;

it(
  'are recorded',
  async () => {
    const folder = join(packageRoot(), 'docs', 'images');
    await mkdir(folder, { recursive: true });
    const { report } = await runDemo(() => undefined);
    const table = renderTable(report, { width: COLUMNS, color: true, quiet: false, verbose: false });
    const terminal = terminalImage(`$ mongolint\n${table}`, COLUMNS);
    const page = join(await temporaryFolder(), 'report.html');
    await writeFile(page, renderHtml(report));
    const browser = await launchChromium();
    try {
      const tab = await browser.newPage({ viewport: WINDOW, colorScheme: 'light' });
      await tab.goto(pathToFileURL(page).href);
      const screenshot = await tab.screenshot();
      expect(terminal.length + screenshot.length).toBeLessThan(MOST_BYTES);
      await writeFile(join(folder, 'terminal.svg'), terminal);
      await writeFile(join(folder, 'page.png'), screenshot);
    } finally {
      await browser.close();
    }
  },
  CHROMIUM_TIMEOUT,
);
