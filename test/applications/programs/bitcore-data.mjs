import { Binary, MongoClient, ObjectId } from 'mongodb';
import { below, between, choose, heavyTailed, hex, idAt, insertEach, random, token, uri, word } from './support.mjs';

export const client = await MongoClient.connect(uri);
const database = client.db();
const named = (name) => database.collection(name);
export const [blocks, transactions, coins] = ['blocks', 'transactions', 'coins'].map(named);
export const [wallets, addresses, events] = ['wallets', 'walletaddresses', 'events'].map(named);
export const [limits, cache, states] = ['ratelimits', 'cache', 'state'].map(named);

// The indexes of its models.
const index = (collection, key, options = {}) => collection.createIndex(key, options);
const ofWallets = { partialFilterExpression: { 'wallets.0': { $exists: true } } };
await index(blocks, { hash: 1 });
await index(blocks, { chain: 1, network: 1, processed: 1, height: -1 });
await index(blocks, { chain: 1, network: 1, timeNormalized: 1 });
await index(blocks, { previousBlockHash: 1 });
await index(transactions, { txid: 1 });
await index(transactions, { chain: 1, network: 1, blockHeight: 1 });
await index(transactions, { blockHash: 1 });
await index(transactions, { chain: 1, network: 1, blockTimeNormalized: 1 });
await index(transactions, { wallets: 1, blockTimeNormalized: 1 }, ofWallets);
await index(transactions, { wallets: 1, blockHeight: 1 }, ofWallets);
await index(coins, { mintTxid: 1, mintIndex: 1 });
await index(coins, { address: 1, chain: 1, network: 1 }, { partialFilterExpression: { spentHeight: { $lt: 0 } } });
await index(coins, { address: 1 });
await index(coins, { chain: 1, network: 1, mintHeight: 1 });
await index(coins, { spentTxid: 1 }, { sparse: true });
await index(coins, { chain: 1, network: 1, spentHeight: 1 });
await index(coins, { wallets: 1, spentHeight: 1, value: 1, mintHeight: 1 }, ofWallets);
await index(coins, { wallets: 1, spentTxid: 1 }, ofWallets);
await index(coins, { wallets: 1, mintTxid: 1 }, ofWallets);
await index(wallets, { pubKey: 1 });
await index(addresses, { chain: 1, network: 1, address: 1, wallet: 1 }, { unique: true });
await index(addresses, { chain: 1, network: 1, wallet: 1, address: 1 }, { unique: true });
await index(addresses, { chain: 1, network: 1, address: 1, lastQueryTime: 1 }, { sparse: true });
await index(events, { type: 1, emitTime: 1 });
await index(events, { emitTime: 1 }, { expireAfterSeconds: 300 });
await index(limits, { identifier: 1, time: 1, method: 1, count: 1 });
await index(limits, { expireAt: 1 }, { expireAfterSeconds: 0 });
await index(cache, { key: 1, wallet: 1 }, { unique: true });

export const MINUTE = 60_000;
export const PENDING = -1;
export const UNSPENT = -2;
export const now = Date.now();
const ZEROS = '0'.repeat(19);
const CHAINS = [
  { chain: 'BTC', network: 'testnet4', first: 61_000, count: 8_900, every: 5 * MINUTE, fees: 1 },
  { chain: 'BCH', network: 'testnet4', first: 240_000, count: 3_000, every: 10 * MINUTE, fees: 4 },
];
export const [bitcoin, cash] = CHAINS.map(({ chain, network }) => ({ chain, network }));

// Few addresses have most of the coins: those who mine, and two of a faucet, which has closed since.
const addressOf = () => `tb1q${token(38)}`;
const miners = Array.from({ length: 24 }, addressOf);
const faucets = [addressOf(), addressOf()];
const known = Array.from({ length: 11_000 }, addressOf);
/** Whose an output is, after this share of the blocks. */
export function anAddress(share) {
  if (share < 0.55 && below(100) < 36) return choose(faucets);
  const paid = below(100);
  if (paid < 22) return known[1_200 + below(3_000)];
  return paid < 40 ? known[4_200 + below(5_000)] : known[heavyTailed(1, 1_200, 0.4) - 1];
}
export const busy = () => (below(5) < 2 ? choose(faucets) : below(8) === 0 ? miners[3] : choose(known));

// One wallet is that of a shop, which has an address for each payment.
export const allWallets = await insertEach(wallets, 340, (number) => ({
  _id: new ObjectId(idAt(now - below(400) * 1_440 * MINUTE)),
  ...bitcoin,
  name: `${word()}-${number}`,
  singleAddress: number % 9 === 0,
  pubKey: `02${hex(64)}`,
  path: "m/44'/1'/0'",
}));
const owners = new Map();
export const allAddresses = [];
let next = 1_200;
for (const [number, { _id }] of allWallets.entries()) {
  const size = number === 0 ? 3_000 : Math.min(300, heavyTailed(4, 400, 0.9));
  for (let owned = 0; owned < size && next < known.length; owned += 1) {
    const address = known[next];
    next += 1;
    owners.set(address, _id);
    allAddresses.push({ ...bitcoin, wallet: _id, address, processed: true });
  }
}
await insertEach(addresses, allAddresses.length, (number) => allAddresses[number]);

export const allBlocks = [];
for (const { chain, network, first, count, every } of CHAINS) {
  let previous = `${ZEROS}${hex(45)}`;
  let last = 0;
  for (let number = 0; number < count; number += 1) {
    const hash = `${ZEROS}${hex(45)}`;
    const time = now - (count - number) * every + below(every);
    last = Math.max(last + 1, time);
    allBlocks.push({
      chain,
      network,
      hash,
      bits: 419_821_553,
      height: first + number,
      merkleRoot: hex(64),
      nextBlockHash: '',
      nonce: below(2 ** 31),
      previousBlockHash: previous,
      processed: true,
      reward: 5_000_000_000,
      size: heavyTailed(300, 900_000, 0.7),
      time: new Date(time),
      timeNormalized: new Date(last),
      transactionCount: 0,
      version: 536_870_912,
    });
    if (number > 0) allBlocks.at(-2).nextBlockHash = hash;
    previous = hash;
  }
}

/** An output: nobody has spent it yet. */
export function coin({ chain, network }, mintTxid, mintIndex, mintHeight, address, coinbase = false) {
  const wallet = owners.get(address);
  return {
    chain,
    network,
    mintTxid,
    mintIndex,
    address,
    coinbase,
    mintHeight,
    script: new Binary(Buffer.from(hex(44), 'hex')),
    spentHeight: UNSPENT,
    value: Math.floor(10 ** (2 + random() * 7)),
    wallets: wallet === undefined ? [] : [wallet],
  };
}
export function transaction({ chain, network, hash, height, time, timeNormalized }, txid, spent, minted) {
  const value = minted.reduce((sum, one) => sum + one.value, 0);
  const all = [...spent, ...minted].flatMap((one) => one.wallets);
  return {
    chain,
    network,
    txid,
    blockHash: hash,
    blockHeight: height,
    blockTime: time,
    blockTimeNormalized: timeNormalized,
    coinbase: spent.length === 0,
    fee: spent.length === 0 ? 0 : between(140, 40_000),
    inputCount: Math.max(1, spent.length),
    locktime: 0,
    outputCount: minted.length,
    size: 110 + 150 * spent.length + 34 * minted.length,
    value,
    wallets: [...new Map(all.map((wallet) => [wallet.toHexString(), wallet])).values()],
  };
}

export const allTransactions = [];
export const allCoins = [];
const unspent = { BTC: [], BCH: [] };
/** Of those in hand, mostly one that came not long ago. */
function spend(chain, txid, height) {
  const hand = unspent[chain];
  const [one] = hand.splice(Math.max(0, hand.length - heavyTailed(1, 3_000, 0.6)), 1);
  if (one !== undefined) Object.assign(one, { spentTxid: txid, spentHeight: height, sequenceNumber: 4_294_967_293 });
  return one;
}
for (const [number, block] of allBlocks.entries()) {
  const share = block.chain === 'BTC' ? number / 8_900 : 1;
  const paid = block.chain === 'BTC' ? Math.min(28, heavyTailed(1, 60, 1.9) - 1) : 0;
  block.transactionCount = 1 + paid;
  for (let position = 0; position <= paid; position += 1) {
    const txid = hex(64);
    const spent = [];
    const inputs = position === 0 ? 0 : Math.min(9, heavyTailed(1, 12, 1.6));
    for (let input = 0; input < inputs; input += 1) {
      const one = spend(block.chain, txid, block.height);
      if (one !== undefined) spent.push(one);
    }
    const outputs = position === 0 ? 1 : Math.min(40, heavyTailed(2, 90, 1.9));
    const minted = Array.from({ length: outputs }, (_, vout) =>
      coin(
        block,
        txid,
        vout,
        block.height,
        position === 0 ? miners[heavyTailed(1, 24, 0.7) - 1] : anAddress(share),
        position === 0,
      ),
    );
    unspent[block.chain].push(...minted);
    allCoins.push(...minted);
    allTransactions.push(transaction(block, txid, spent, minted));
  }
  if (number % 2 === 0) block.feeData = { feeTotal: below(90_000), mean: below(60), median: below(40), mode: 1 };
}
await insertEach(blocks, allBlocks.length, (number) => allBlocks[number], 2_000);
await insertEach(transactions, allTransactions.length, (number) => allTransactions[number], 2_000);
await insertEach(coins, allCoins.length, (number) => allCoins[number], 2_000);
// What the verification finds: the mempool and the block wrote them at once.
const twice = ({ _id, ...one }) => one;
await insertEach(coins, 26, (number) => twice(allCoins.at(-40 - 90 * number)));
await insertEach(transactions, 14, (number) => ({
  ...twice(allTransactions.at(-20 - 60 * number)),
  blockHeight: PENDING,
}));
await insertEach(cache, 36, (number) => ({
  key: `getFee-${number % 2 === 0 ? 'BTC' : 'BCH'}-testnet4-${number + 1}`,
  created: now - below(90) * MINUTE,
  expireTime: 5 * MINUTE,
  value: { feerate: below(900) / 10_000_000, blocks: number + 1 },
}));
await states.insertOne({
  created: new Date(now - 400 * 1_440 * MINUTE),
  initialSyncComplete: ['BTC:testnet4', 'BCH:testnet4'],
  verifiedBlockHeight: { BTC: { testnet4: 69_990 }, BCH: { testnet4: 242_990 } },
  'syncingNode:BTC:testnet4': `node-1:41:${now}`,
  'syncingNode:BCH:testnet4': `node-1:41:${now}`,
});
/** What can still be spent, for the transactions that are yet to come. */
export const spendable = unspent;
