import { describe, it } from 'vitest';
import { FOREIGN_ENGINES } from '../support/engines/foreign-engines.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';

// The server is a real mongod. A proxy puts the documented answers of other engines into its own. What each engine's run
// finds is in `test/engines`; here, that the built command takes nothing for clean that it could not judge there.
const faulty = useFaultyShop();

describe('the answers of', () => {
  it.concurrent.each(Object.entries(FOREIGN_ENGINES))('%s', async (_, { faults }) => {
    await faulty.lintThroughProxy({ exit: [1], report: true }, faults);
  });
});
