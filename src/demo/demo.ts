import { setTimeout } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { separated } from '../findings/further-reasons.js';
import { lint } from '../lint/lint.js';
import type { Report } from '../report/report.js';
import { startEmbeddedMongod } from './embedded-mongod/embedded-mongod.js';
import { fillShop, SHOP_FAULTS, type ShopFault, useShop, visitShop } from './shop.js';

/** In ms. */
const BETWEEN_VISITS = 250;

const DATABASE = 'shop';

export interface ShownFault extends ShopFault {
  /** True if the check found the anti-pattern at its path. */
  readonly isFound: boolean;
  /** True if the check found nothing in what is designed well. */
  readonly isQuiet: boolean;
}

export interface DemoResult {
  readonly report: Report;
  readonly faults: readonly ShownFault[];
}

/**
 * Lints a small shop on a server of its own with the code that lints any cluster, while its customers visit it.
 * @throws LintError if no mongod is available
 */
export async function runDemo(onProgress: (message: string) => void): Promise<DemoResult> {
  const server = await startEmbeddedMongod(onProgress);
  const client = new MongoClient(server.uri);
  try {
    const database = client.db(DATABASE);
    onProgress('filling a small shop');
    await fillShop(database);
    await useShop(database);
    onProgress('linting');
    const state = { isOver: false };
    const run = lint({ uri: server.uri }).finally(() => (state.isOver = true));
    const visits = async () => {
      while (!state.isOver) {
        await visitShop(database);
        await setTimeout(BETWEEN_VISITS);
      }
    };
    const [report] = await Promise.all([run, visits()]);
    return { report, faults: SHOP_FAULTS.map((fault) => shownFault(fault, report)) };
  } finally {
    await client.close();
    await server.stop();
  }
}

function shownFault(fault: ShopFault, { findings }: Report): ShownFault {
  const { check, bad, good } = fault;
  const own = findings.flatMap(separated).filter((finding) => finding.check === check);
  const isAt = ({ collection, path }: ShopFault['bad']) =>
    own.some((finding) => finding.namespace === `${DATABASE}.${collection}` && finding.path === path);
  return { ...fault, isFound: isAt(bad), isQuiet: !isAt(good) };
}
