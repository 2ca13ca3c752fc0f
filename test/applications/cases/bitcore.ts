import type { Application, KnownFault, SoundDesign } from '../application.js';

/**
 * bitpay/bitcore at 78b95920, packages/bitcore-node: two test networks, and the wallets of a wallet service, of which one is that
 * of a shop. The indexes are those of its models.
 */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'the blocks of a day are asked for by `time`, which no index has: all blocks since then are read, newest first',
    source: 'providers/chain-state/internal/internal.ts getBlocksQuery; routes/api/block.ts',
    severity: 'warning',
    checks: ['poor-targeting', 'query-without-its-index', 'collection-scan', 'in-memory-sort'],
    collection: 'blocks',
    path: 'time',
  },
  {
    what: 'the ten newest coins of an address: all of its coins are read and sorted by `_id`',
    source: 'providers/chain-state/internal/internal.ts streamAddressTransactions; services/storage.ts getFindOptions',
    severity: 'warning',
    checks: ['in-memory-sort', 'poor-targeting', 'query-without-its-index'],
    collection: 'coins',
    path: 'address',
  },
  {
    what: 'the transactions of each of the last thirty days are summed from all of their blocks',
    source: 'providers/chain-state/internal/internal.ts getDailyTransactions',
    severity: 'warning',
    checks: ['computed-value'],
    collection: 'blocks',
  },
  {
    what: 'a balance is summed over all unspent coins of the wallet, or of the address, each time that it is asked for',
    source:
      'models/coin.ts getBalance; providers/chain-state/internal/internal.ts getWalletBalance, getBalanceForAddress; issue bitcore-wallet-service 436',
    severity: 'warning',
    checks: ['computed-value'],
    collection: 'coins',
  },
  {
    what: 'the history of a wallet is all of its transactions, whole and without a page',
    source: 'providers/chain-state/internal/internal.ts streamWalletTransactions',
    severity: 'warning',
    checks: ['unbounded-find'],
    collection: 'transactions',
    path: 'wallets',
  },
  {
    what: 'the history of a wallet counts the coins that each transaction spends, and reads those that it makes, one by one',
    source: 'providers/chain-state/internal/transforms.ts ListTransactionsStream',
    severity: 'warning',
    checks: ['n-plus-one-query'],
    collection: 'coins',
  },
  {
    what: 'a coin is upserted by `mintTxid` and `mintIndex`, whose index is not unique: mempool and block wrote some twice',
    source: 'models/transaction.ts streamMintOps; VerificationPeer.ts `DUPE_COIN`; pull requests 1939, 1995, 2026',
    severity: 'warning',
    checks: ['upsert-without-unique-index'],
    collection: 'coins',
    path: 'mintTxid',
  },
  {
    what: 'a transaction is upserted by `txid`, whose index is not unique: some are there twice',
    source: 'models/transaction.ts streamTxOps; VerificationPeer.ts `DUPE_TRANSACTION`; pull request 2026',
    severity: 'warning',
    checks: ['upsert-without-unique-index'],
    collection: 'transactions',
    path: 'txid',
  },
  {
    what: 'no address has a `lastQueryTime`, so the third index is a copy of the beginning of the first: being sparse leaves out nothing',
    source: 'models/walletAddress.ts onConnect, updateLastQueryTime',
    severity: 'info',
    checks: ['redundant-index', 'useless-index', 'unused-index'],
    collection: 'walletaddresses',
    path: 'lastQueryTime',
  },
  {
    what: 'requests of one visitor that come at once each insert a window of their own: nothing unique is upserted by',
    source: 'models/rateLimit.ts incrementAndCheck',
    severity: 'info',
    checks: ['upsert-without-unique-index'],
    collection: 'ratelimits',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'the newest block is the beginning of an index, and is asked for by most requests',
    source: 'models/baseBlock.ts getLocalTip',
    checks: ['useless-index', 'redundant-index', 'unused-index'],
    collection: 'blocks',
    path: 'chain_1_network_1_processed_1_height_-1',
  },
  {
    what: '`address_1` begins an index that holds unspent coins alone, which is no substitute for it',
    source: 'models/coin.ts onConnect',
    checks: ['redundant-index'],
    collection: 'coins',
    path: 'address_1',
  },
  {
    what: 'three partial indexes hold coins of wallets alone: each query of a wallet names the condition of theirs',
    source: 'models/coin.ts onConnect; providers/chain-state/internal/internal.ts getWalletBalance',
    checks: ['redundant-index', 'useless-index', 'unused-index'],
    collection: 'coins',
    path: 'wallets_1',
  },
  {
    what: 'the addresses of a wallet, and the wallets of an address, are found by one unique index each',
    source: 'models/walletAddress.ts onConnect; models/transaction.ts tagMintBatch',
    checks: ['redundant-index'],
    collection: 'walletaddresses',
    path: 'chain_1_network_1_wallet_1_address_1',
  },
  {
    what: 'inputs and outputs of a transaction are found by the hash that spent or made them',
    source: 'providers/chain-state/internal/internal.ts getCoinsForTx',
    checks: ['collection-scan', 'poor-targeting', 'unindexed-reference'],
    collection: 'coins',
    path: 'Txid',
  },
  {
    what: 'a transaction holds the wallets that take part in it, which are few',
    source: 'models/transaction.ts streamTxOps',
    checks: ['unbounded-array', 'fast-growing-array', 'long-reference-array'],
    collection: 'transactions',
    path: 'wallets',
  },
];

export const BITCORE: Application = {
  name: 'bitcore',
  kind: 'explorer of block chains and their wallets',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [
    {
      check: 'computed-value',
      collection: 'blocks',
      path: null,
      severity: 'warning',
      verdict: 'useful',
      why: 'a summary that is computed for each page',
    },
    {
      check: 'poor-targeting',
      collection: 'blocks',
      path: 'chain_1_network_1_processed_1_height_-1_time_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'an index would find fewer',
    },
    {
      check: 'upsert-without-unique-index',
      collection: 'blocks',
      path: 'chain_1_hash_1_network_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'two at once insert it twice',
    },
    {
      check: 'computed-value',
      collection: 'coins',
      path: null,
      severity: 'warning',
      verdict: 'useful',
      why: 'a summary that is computed for each page',
    },
    {
      check: 'in-memory-sort',
      collection: 'coins',
      path: 'address_1_chain_1_network_1__id_-1',
      severity: 'warning',
      verdict: 'useful',
      why: 'what is found is sorted for each page',
    },
    {
      check: 'upsert-without-unique-index',
      collection: 'coins',
      path: 'chain_1_mintIndex_1_mintTxid_1_network_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'two at once insert it twice',
    },
    {
      check: 'upsert-without-unique-index',
      collection: 'transactions',
      path: 'chain_1_network_1_txid_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'two at once insert it twice',
    },
  ],
  missed: [],
};
