/**
 * `npm run fuzz -- KIND --minutes N` gives mongolint hostile input of a kind, and prints the seed of each that comes to
 * anything else than a report or a sentence. `--seed S --inputs 1` repeats one.
 */
import { parseArgs } from 'node:util';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { MS_PER_MINUTE } from '../../src/time-units.js';
import { KINDS, type Kind } from './kinds.js';
import { startFuzzedShop, type FuzzedShop } from './shop.js';

/** In ms. A run has 20 s by itself; on a machine with forty times as much to do, five minutes are not enough. */
const LONGEST = 900_000;
/** Of what comes to the same, so many are printed. */
const MOST_ALIKE = 2;

const print = (line: string) => void process.stdout.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' }, inputs: { type: 'string' } },
});
const kind = KINDS[positionals[0] ?? ''];
if (kind === undefined) {
  print(`Usage: npm run fuzz -- ${Object.keys(KINDS).join('|')} [--minutes N] [--seed S] [--inputs N]`);
  process.exitCode = 2;
} else {
  const first = Number(values.seed ?? Math.floor(Math.random() * 1e9));
  const shop = await startFuzzedShop();
  const broken = await fuzz(kind, shop, first, Number(values.minutes), Number(values.inputs ?? Infinity));
  await shop.stop();
  process.exitCode = broken > 0 ? 1 : 0;
}

async function fuzz(tries: Kind, shop: FuzzedShop, first: number, minutes: number, most: number): Promise<number> {
  const end = Number.isFinite(most) ? Infinity : performance.now() + minutes * MS_PER_MINUTE;
  let tried = 0;
  let broken = 0;
  const unhandled: string[] = [];
  process.on('unhandledRejection', (error) => unhandled.push(`unhandled: ${String((error as Error)?.stack ?? error)}`));
  process.on('uncaughtException', (error) => unhandled.push(`uncaught: ${error.stack}`));
  // Node writes them to stderr by itself.
  process.on('warning', (warning) => unhandled.push(`warning: ${warning.message}`));
  const kinds = new Map<string, number>();
  while (tried < most && performance.now() < end) {
    const seed = first + tried;
    tried += 1;
    const { problems, stderr } = await Promise.race([tries(shop, new SeededRandom(seed)).catch(thrown), late()]);
    const all = [...new Set([...problems, ...unhandled.splice(0)])];
    if (all.length === 0) continue;
    broken += 1;
    const alike = `${all[0]} ${/^ +at .*/m.exec(stderr)?.[0]}`.replaceAll(/"[^"]*"|[\d.]+/g, '');
    const known = kinds.get(alike) ?? 0;
    kinds.set(alike, known + 1);
    if (known < MOST_ALIKE)
      print(`seed ${seed}: ${all.join('; ')}\n${stderr.replaceAll(/^\w+: .* \(.*\)\n/gm, '').slice(0, 1_500)}`);
  }
  print(`${positionals[0]}: ${tried} inputs from seed ${first}, ${broken} broke something`);
  return broken;
}

function thrown(error: unknown) {
  return { problems: [`thrown: ${String((error as Error)?.stack ?? error)}`], stderr: '' };
}

function late(): Promise<{ problems: string[]; stderr: string }> {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ problems: ['it does not end'], stderr: '' }), LONGEST).unref();
  });
}
