import {
  MINUTE,
  PENDING,
  addresses,
  allAddresses,
  allBlocks,
  allCoins,
  allTransactions,
  allWallets,
  anAddress,
  bitcoin,
  blocks,
  busy,
  cache,
  cash,
  client,
  coin,
  coins,
  events,
  limits,
  now,
  spendable,
  states,
  transaction,
  transactions,
  wallets,
} from './bitcore-data.mjs';
import { below, between, choose, heavyTailed, hex, token } from './support.mjs';

const CONFLICTING = -3;
const anyChain = () => (below(5) < 4 ? bitcoin : cash);
const tip = (of) => blocks.findOne({ ...of, processed: true }, { sort: { height: -1 } });

/** Each request counts for its second, its minute and its hour. */
const visitors = Array.from({ length: 70 }, () => `${between(1, 220)}.${below(256)}.${below(256)}.${below(256)}`);
async function request() {
  const identifier = visitors[heavyTailed(1, 70, 0.6) - 1];
  const times = { second: 1_000, minute: MINUTE, hour: 60 * MINUTE };
  const counted = Object.entries(times).map(([period, length]) =>
    limits.findOneAndUpdate(
      { identifier, method: 'GLOBAL', period, time: { $gte: new Date(Date.now() - length) } },
      { $setOnInsert: { time: new Date(), expireAt: new Date(Date.now() + 2 * length) }, $inc: { count: 1 } },
      { upsert: true, returnDocument: 'after' },
    ),
  );
  await Promise.all(counted);
}

/** A transaction that spends what is in hand. */
function paid(block) {
  const txid = hex(64);
  const hand = spendable[block.chain];
  const spent = hand.splice(hand.length - between(1, 3));
  const minted = Array.from({ length: between(1, 6) }, (_, vout) =>
    coin(block, txid, vout, block.height, anAddress(1)),
  );
  return { txid, spent, minted, one: transaction(block, txid, spent, minted) };
}
/** Writes transactions of a block, or of the mempool, which leaves alone what is there. */
async function importAll(block, all) {
  const { chain, network, height } = block;
  const minted = all.flatMap((each) => each.minted);
  await addresses
    .find({ address: { $in: [...new Set(minted.map(({ address }) => address))] }, chain, network }, { batchSize: 100 })
    .project({ wallet: 1, address: 1 })
    .toArray();
  await coins.bulkWrite(
    minted.map(({ mintTxid, mintIndex, spentHeight, ...$set }) => ({
      updateOne: {
        filter: { mintTxid, mintIndex, chain, network },
        update: height < 0 ? { $setOnInsert: { ...$set, spentHeight } } : { $set, $setOnInsert: { spentHeight } },
        upsert: true,
      },
    })),
  );
  const spent = all.flatMap((each) => each.spent.map((from) => ({ from, txid: each.txid })));
  for (const { from, txid } of spent)
    await coins
      .find({
        chain,
        network,
        spentHeight: PENDING,
        mintTxid: from.mintTxid,
        mintIndex: from.mintIndex,
        spentTxid: { $ne: txid },
      })
      .toArray();
  if (spent.length > 0)
    await coins.bulkWrite(
      spent.map(({ from: { mintTxid, mintIndex }, txid }) => ({
        updateOne: {
          filter: { mintTxid, mintIndex, spentHeight: { $lt: 0 }, chain, network },
          update: { $set: { spentTxid: txid, spentHeight: height, sequenceNumber: 4_294_967_293 } },
        },
      })),
    );
  await coins
    .find(
      height > 0
        ? { spentHeight: height, chain, network }
        : { spentTxid: { $in: all.map(({ txid }) => txid) }, chain, network },
    )
    .project({ spentTxid: 1, value: 1, wallets: 1 })
    .toArray();
  await transactions.bulkWrite(
    all.map(({ txid, one }) => ({
      updateOne: {
        filter: { txid, chain, network },
        update: height < 0 ? { $setOnInsert: one } : { $set: one },
        upsert: true,
      },
    })),
  );
  if (height >= 0) return;
  const emitTime = new Date();
  const changed = minted.map((one) => ({ payload: { address: one.address, coin: one }, emitTime, type: 'coin' }));
  if (changed.length > 0) await events.insertMany(changed);
  await events.insertMany(all.map(({ one }) => ({ payload: one, emitTime, type: 'tx' })));
}
const mempool = [];
async function newInMempool(of) {
  const at = new Date();
  const each = paid({ ...of, hash: undefined, height: PENDING, time: at, timeNormalized: at });
  mempool.push(each);
  await importAll({ ...of, height: PENDING }, [each]);
}
const inBlock = ({ txid, spent, minted, one }, { hash, height, time, timeNormalized }) => ({
  txid,
  spent,
  minted: minted.map((each) => ({ ...each, mintHeight: height })),
  one: { ...one, blockHash: hash, blockHeight: height, blockTime: time, blockTimeNormalized: timeNormalized },
});
async function newBlock(of) {
  const { chain, network } = of;
  await states.findOne({});
  const last = await tip(of);
  await blocks.findOne({ hash: last.hash, ...of });
  const hash = `${'0'.repeat(19)}${hex(45)}`;
  const time = new Date(Math.max(last.timeNormalized.getTime() + 1, Date.now()));
  const block = {
    ...last,
    hash,
    height: last.height + 1,
    previousBlockHash: last.hash,
    nextBlockHash: '',
    time,
    timeNormalized: time,
    processed: false,
  };
  delete block._id;
  delete block.feeData;
  await blocks.bulkWrite([{ updateOne: { filter: { hash, chain, network }, update: { $set: block }, upsert: true } }]);
  await blocks.updateOne({ ...of, hash: last.hash }, { $set: { nextBlockHash: hash } });
  const mined = mempool.filter(({ one }) => one.chain === chain).map((each) => inBlock(each, block));
  mempool.splice(0, mempool.length, ...mempool.filter(({ one }) => one.chain !== chain));
  await importAll(block, [...mined, paid(block)]);
  await events.insertOne({ payload: block, emitTime: new Date(), type: 'block' });
  await transactions.find({ ...of, blockHash: hash }).toArray();
  await blocks.updateOne(
    { hash, ...of },
    { $set: { processed: true, feeData: { feeTotal: 900, mean: 4, median: 3, mode: 1 } } },
  );
}

/** The page of an address: its newest coins and its balance. */
async function addressPage() {
  const address = busy();
  await request();
  const since = below(6) === 0 ? { _id: { $lt: choose(allCoins.slice(-9_000))._id } } : {};
  await coins
    .find({ ...bitcoin, address, ...since })
    .sort({ _id: -1 })
    .limit(10)
    .toArray();
  await request();
  await balance({ ...bitcoin, address, spentHeight: { $lt: 0 }, mintHeight: { $gt: CONFLICTING } });
}
const balance = ($match, options = {}) =>
  coins
    .aggregate(
      [
        { $match },
        {
          $project: {
            value: 1,
            status: { $cond: { if: { $gte: ['$mintHeight', 0] }, then: 'confirmed', else: 'unconfirmed' } },
            _id: 0,
          },
        },
        { $group: { _id: '$status', balance: { $sum: '$value' } } },
      ],
      options,
    )
    .toArray();

/** The blocks of a day, which are chosen in a calendar. */
async function blocksOfDay() {
  await request();
  const day = new Date(now - between(1, 29) * 1_440 * MINUTE);
  day.setUTCHours(0, 0, 0, 0);
  await blocks
    .find({ ...bitcoin, processed: true, time: { $gt: day, $lt: new Date(day.getTime() + 1_440 * MINUTE) } })
    .sort({ height: -1 })
    .limit(200)
    .toArray();
}
async function dailyTransactions() {
  await request();
  const today = new Date();
  today.setUTCHours(0, 0, 0, 0);
  const timeNormalized = { $gte: new Date(today.getTime() - 30 * 1_440 * MINUTE), $lt: today };
  await blocks
    .aggregate([
      { $match: { ...bitcoin, timeNormalized } },
      {
        $group: {
          _id: { $dateToString: { format: '%Y-%m-%d', date: '$timeNormalized' } },
          transactionCount: { $sum: '$transactionCount' },
        },
      },
      { $project: { _id: 0, date: '$_id', transactionCount: '$transactionCount' } },
      { $sort: { date: 1 } },
    ])
    .toArray();
}
async function blockPage() {
  await request();
  const { chain, network, hash, height } = allBlocks[Math.max(0, 8_899 - heavyTailed(1, 8_900, 0.5))];
  const which = below(2) === 0 ? { hash } : { height };
  await blocks
    .find({ chain, network, processed: true, ...which })
    .sort({ height: -1 })
    .limit(10)
    .toArray();
  await tip({ chain, network });
  await request();
  await transactions.countDocuments({ chain, network, blockHash: hash });
  const found = await transactions.find({ chain, network, blockHash: hash }).skip(0).limit(500).toArray();
  const txids = found.map(({ txid }) => txid);
  await coins.find({ chain, network, spentTxid: { $in: txids } }).toArray();
  await coins.find({ chain, network, mintTxid: { $in: txids } }).toArray();
}
async function transactionPage() {
  await request();
  const { chain, network, txid } = choose(allTransactions);
  await tip({ chain, network });
  await transactions.findOne({ chain, network, txid });
  await request();
  await transactions.findOne({ txid });
  await tip({ chain, network });
  await coins.find({ chain, network, spentTxid: txid }).toArray();
  await coins.find({ chain, network, mintTxid: txid }).toArray();
}

// The wallet service asks for each wallet: that of the shop more often than others.
const aWallet = () => (below(4) === 0 ? allWallets[0] : choose(allWallets));
const ofWallet = ({ _id }) => ({ wallets: _id, 'wallets.0': { $exists: true }, network: 'testnet4' });
async function walletBalance(visit) {
  const wallet = aWallet();
  await wallets.findOne({ chain: wallet.chain, pubKey: wallet.pubKey });
  await balance({ ...ofWallet(wallet), spentHeight: { $lt: 0 }, mintHeight: { $gt: CONFLICTING } });
  if (visit % 8 > 0) return;
  const [block] = await blocks
    .find({ ...bitcoin, timeNormalized: { $lte: new Date(now - below(20) * 1_440 * MINUTE) } })
    .limit(1)
    .sort({ timeNormalized: -1 })
    .toArray();
  const spentLater = [{ spentHeight: { $gt: block.height } }, { spentHeight: { $lt: 0 } }];
  await balance(
    { $or: spentLater, mintHeight: { $lte: block.height }, ...ofWallet(wallet) },
    { hint: { wallets: 1, spentHeight: 1, value: 1, mintHeight: 1 } },
  );
}
async function walletCoins() {
  const wallet = aWallet();
  await wallets.findOne({ chain: wallet.chain, pubKey: wallet.pubKey });
  await tip(bitcoin);
  await coins.find({ ...ofWallet(wallet), mintHeight: { $gt: CONFLICTING }, spentHeight: { $lt: PENDING } }).toArray();
}
/** All transactions of a wallet, and its coins of each. */
async function walletHistory(visit) {
  const wallet = visit % 30 === 0 ? allWallets[0] : choose(allWallets);
  await wallets.findOne({ chain: wallet.chain, pubKey: wallet.pubKey });
  const since = visit % 3 === 1 ? { $or: [{ blockHeight: PENDING }, { blockHeight: { $gte: 69_000 } }] } : {};
  const found = transactions.find({ ...bitcoin, ...ofWallet(wallet), ...since }).sort({ blockTimeNormalized: 1 });
  const project = { address: 1, wallets: 1, value: 1, mintIndex: 1 };
  for await (const { chain, network, txid } of found) {
    const sending = await coins.countDocuments({
      wallets: wallet._id,
      'wallets.0': { $exists: true },
      spentTxid: txid,
    });
    const minted = sending > 0 ? { chain, network } : { wallets: wallet._id, 'wallets.0': { $exists: true } };
    await coins
      .find({ ...minted, mintTxid: txid })
      .project(project)
      .toArray();
  }
}
/** A wallet sends its addresses: their coins and transactions become its own. */
async function newAddresses() {
  const { _id: wallet, pubKey } = choose(allWallets);
  await wallets.findOne({ chain: 'BTC', pubKey });
  const added = Array.from({ length: between(1, 20) }, () => `tb1q${token(38)}`);
  await addresses
    .find({ ...bitcoin, wallet, address: { $in: added } })
    .project({ address: 1, processed: 1 })
    .toArray();
  await addresses.bulkWrite(
    added.map((address) => ({ insertOne: { document: { ...bitcoin, wallet, address, processed: false } } })),
    { ordered: false },
  );
  await coins.bulkWrite(
    added.map((address) => ({
      updateMany: { filter: { ...bitcoin, address }, update: { $addToSet: { wallets: wallet } } },
    })),
    { ordered: false },
  );
  const theirs = await coins
    .find({ ...bitcoin, address: { $in: added } })
    .project({ mintTxid: 1, spentTxid: 1 })
    .toArray();
  for (const { mintTxid } of theirs)
    await transactions.updateMany({ ...bitcoin, txid: mintTxid }, { $addToSet: { wallets: wallet } });
  await addresses.bulkWrite(
    added.map((address) => ({
      updateOne: { filter: { ...bitcoin, address, wallet }, update: { $set: { processed: true } } },
    })),
    { ordered: false },
  );
}
/** Each ten minutes: what is in the mempool, and whether it was replaced. */
async function prune(of) {
  await coins.countDocuments({ ...of, mintHeight: PENDING });
  const seen = new Set();
  for (const { mintTxid } of await coins.find({ ...of, mintHeight: PENDING }).toArray()) {
    if (seen.has(mintTxid)) continue;
    seen.add(mintTxid);
    await transactions.findOne({ ...of, txid: mintTxid });
    const inputs = await coins.find({ ...of, spentTxid: mintTxid }).toArray();
    await transactions.find({ ...of, txid: { $in: inputs.map((input) => input.mintTxid) } }).toArray();
  }
}
async function fee() {
  const key = `getFee-BTC-testnet4-${between(1, 20)}`;
  await request();
  const found = await cache.findOne({ key, wallet: null });
  if (found !== null && found.created + found.expireTime >= Date.now()) return;
  if (found !== null) await cache.deleteMany({ _id: found._id });
  const value = { feerate: 0.00001, blocks: 2 };
  await cache.updateOne({ key }, { $set: { value, created: Date.now(), expireTime: 5 * MINUTE } }, { upsert: true });
}

// An hour.
for (let minute = 0; minute < 60; minute += 1) {
  for (let call = 0; call < 3; call += 1) await newInMempool(anyChain());
  if (minute % 5 === 0) await newBlock(bitcoin);
  if (minute % 10 === 0) await newBlock(cash);
  if (minute % 10 === 4) await prune(bitcoin);
  for (let call = 0; call < 3; call += 1) await addressPage();
  for (let call = 0; call < 2; call += 1) await transactionPage();
  for (let call = 0; call < 3; call += 1) await walletBalance(minute * 3 + call);
  for (let call = 0; call < 4; call += 1) await request().then(() => tip(anyChain()));
  await blockPage();
  await walletCoins();
  await fee();
  if (minute % 3 === 0) await newAddresses();
  if (minute % 3 === 1) await blocksOfDay();
  if (minute % 6 === 2) await dailyTransactions();
  await walletHistory(minute);
  for (const type of ['block', 'tx', 'coin'])
    await events.find({ type, emitTime: { $gte: new Date(Date.now() - 1_000) } }).toArray();
  if (minute % 10 > 0) continue;
  const { wallet } = choose(allAddresses);
  await addresses
    .find({ ...bitcoin, wallet })
    .project({ address: 1 })
    .toArray();
  await addresses.find({ ...bitcoin, wallet }).toArray();
}
await client.close();
