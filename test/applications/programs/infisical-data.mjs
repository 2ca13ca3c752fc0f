import { MongoClient, ObjectId } from 'mongodb';
import {
  below,
  between,
  choose,
  heavyTailed,
  hex,
  idAt,
  insertEach,
  random,
  skewed,
  some,
  token,
  uri,
  word,
} from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const of = (name) => database.collection(name);
const [secrets, versions, snapshots, audits] = ['secrets', 'secretversions', 'secretsnapshots', 'auditlogs'].map(of);
const [folders, folderVersions, imports, salts] = [
  'folders',
  'folderversions',
  'secretimports',
  'secretblindindexdatas',
].map(of);
const [users, workspaces, memberships, sessions] = ['users', 'workspaces', 'memberships', 'tokenversions'].map(of);
const [machineTokens, identities, requests, policies] = [
  'identityaccesstokens',
  'identities',
  'secretapprovalrequests',
  'secretapprovalpolicies',
].map(of);

// All the indexes that its schemas declare.
await secrets.createIndex({ tags: 1 });
await audits.createIndex({ workspace: 1 });
await audits.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const DAY = 86_400_000;
const now = Date.now();
const ago = (days) => new Date(now - below(days * DAY));
const idOf = (date) => new ObjectId(idAt(date.getTime()));
const dated = (createdAt, updatedAt = createdAt) => ({ createdAt, updatedAt, __v: 0 });
const cipher = (bytes) => Buffer.from(hex(bytes * 2), 'hex').toString('base64');
const encrypted = (name, bytes) => ({
  [`${name}Ciphertext`]: cipher(bytes),
  [`${name}IV`]: cipher(16),
  [`${name}Tag`]: cipher(16),
});
const ENVIRONMENTS = ['dev', 'staging', 'prod'];
const organizations = some(240, () => idOf(ago(900)));

const allUsers = await insertEach(users, 2_000, (number) => {
  const date = ago(800);
  return {
    _id: idOf(date),
    email: `${word()}.${number}@example.com`,
    firstName: word(),
    lastName: word(),
    encryptionVersion: 2,
    protectedKey: cipher(44),
    protectedKeyIV: cipher(16),
    protectedKeyTag: cipher(16),
    publicKey: cipher(32),
    encryptedPrivateKey: cipher(44),
    salt: hex(64),
    verifier: hex(512),
    isMfaEnabled: false,
    devices: some(between(1, 4), () => ({
      ip: `10.1.${below(255)}.${below(255)}`,
      userAgent: `Mozilla/5.0 ${word()}`,
    })),
    ...dated(date),
  };
});
const user = () => allUsers[skewed(2_000)];
const allWorkspaces = await insertEach(workspaces, 1_300, () => {
  const date = ago(700);
  return {
    _id: idOf(date),
    name: `${word()}-${word()}`,
    organization: organizations[skewed(240)],
    environments: ENVIRONMENTS.map((slug) => ({ name: slug, slug, _id: idOf(date) })),
    autoCapitalization: true,
    ...dated(date),
  };
});
const workspace = () => allWorkspaces[skewed(1_300)];
await insertEach(salts, 1_300, (number) => ({
  workspace: allWorkspaces[number]._id,
  encryptedSaltCiphertext: cipher(24),
  saltIV: cipher(12),
  saltTag: cipher(16),
  algorithm: 'aes-256-gcm',
  keyEncoding: 'base64',
}));
const inWorkspace = new Set();
const pairs = some(2_900, (number) => ({
  workspace: number < 1_300 ? allWorkspaces[number] : workspace(),
  user: number < 1_300 ? choose(allUsers) : user(),
})).filter((pair) => {
  const key = `${pair.workspace._id} ${pair.user._id}`;
  const is = inWorkspace.has(key);
  inWorkspace.add(key);
  return !is;
});
const allMemberships = await insertEach(memberships, pairs.length, (number) => ({
  user: pairs[number].user._id,
  workspace: pairs[number].workspace._id,
  role: choose(['admin', 'member', 'member']),
  deniedPermissions: [],
  ...dated(ago(600)),
}));
const membership = () => choose(allMemberships);
const allSessions = await insertEach(sessions, 3_000, () => ({
  user: user()._id,
  ip: `10.1.${below(255)}.${below(255)}`,
  userAgent: `Mozilla/5.0 ${word()}`,
  refreshVersion: below(9),
  accessVersion: below(9),
  lastUsed: ago(30),
  ...dated(ago(300)),
}));
const allIdentities = await insertEach(identities, 120, () => ({ name: word(), ...dated(ago(300)) }));
const allMachineTokens = await insertEach(machineTokens, 5_000, () => ({
  identity: allIdentities[skewed(120)]._id,
  accessTokenNumUses: heavyTailed(1, 90_000, 0.6),
  accessTokenNumUsesLimit: 0,
  accessTokenTTL: 7_200,
  accessTokenMaxTTL: 7_200,
  accessTokenTrustedIps: [{ ipAddress: '0.0.0.0', type: 'ipv4', prefix: 0 }],
  isAccessTokenRevoked: random() < 0.05,
  ...dated(ago(90)),
}));

// A tree of folders in each environment of a workspace that has any; and its versions.
const folder = (depth) => ({
  id: token(12),
  name: word(),
  version: between(1, 5),
  children: depth > 0 ? some(below(3), () => folder(depth - 1)) : [],
});
const places = allWorkspaces.flatMap(({ _id }) => ENVIRONMENTS.map((environment) => ({ workspace: _id, environment })));
const withFolders = places.filter((_, number) => number % 2 === 0);
const allFolders = await insertEach(folders, withFolders.length, (number) => ({
  ...withFolders[number],
  nodes: { id: 'root', name: 'root', version: 1, children: some(between(1, 4), () => folder(3)) },
  ...dated(ago(500)),
}));
const idsBelow = ({ id, children }) => [id, ...children.flatMap(idsBelow)];
const treeAt = new Map(allFolders.map((one) => [`${one.workspace} ${one.environment}`, one.nodes]));
const foldersAt = (place) => {
  const tree = treeAt.get(`${place.workspace} ${place.environment}`);
  return tree === undefined ? ['root'] : idsBelow(tree);
};
const folderVersion = (number) => {
  const { workspace: at, environment, nodes } = allFolders[skewed(allFolders.length)];
  return { workspace: at, environment, nodes: { ...nodes, version: 1 + (number % 9) }, ...dated(ago(400)) };
};
await insertEach(folderVersions, 4_000, folderVersion);
const placeOf = ({ _id }) => ({ workspace: _id, environment: choose(ENVIRONMENTS) });
const anyPlace = () => {
  const place = placeOf(workspace());
  return { ...place, folder: choose(foldersAt(place)) };
};
await insertEach(imports, 600, () => {
  const { folder: folderId, ...place } = anyPlace();
  const from = some(between(1, 4), () => ({ environment: choose(ENVIRONMENTS), secretPath: '/' }));
  return { ...place, folderId, imports: from, ...dated(ago(300)) };
});

// Secrets, each version of them, and a snapshot of the folder at each write.
const content = () => ({
  secretBlindIndex: cipher(32),
  ...encrypted('secretKey', between(8, 30)),
  ...encrypted('secretValue', heavyTailed(16, 1_500, 1.3)),
  algorithm: 'aes-256-gcm',
  keyEncoding: 'utf8',
});
const allSecrets = await insertEach(secrets, 9_000, (number) => {
  const date = ago(600);
  return {
    _id: idOf(date),
    version: Math.min(9, heavyTailed(1, 40, 1.2)),
    ...anyPlace(),
    type: number % 9 === 0 ? 'personal' : 'shared',
    ...(number % 9 === 0 ? { user: user()._id } : {}),
    tags: number % 40 === 0 ? [idOf(date)] : [],
    ...content(),
    ...encrypted('secretComment', 0),
    ...dated(date),
  };
});
const versionOf = (secret, version, date) => ({
  _id: idOf(date),
  secret: secret._id,
  version,
  workspace: secret.workspace,
  type: secret.type,
  environment: secret.environment,
  folder: secret.folder,
  isDeleted: false,
  tags: [],
  ...content(),
  ...dated(date),
});
const written = allSecrets.flatMap((secret) => some(secret.version, (number) => ({ secret, version: number + 1 })));
const allVersions = await insertEach(versions, written.length, (number) =>
  versionOf(written[number].secret, written[number].version, ago(500)),
);
const latest = new Map(allVersions.map((version) => [String(version.secret), version._id]));
const at = ({ workspace: of_, environment, folder: folder_ }) => `${of_} ${environment} ${folder_}`;
const secretsAt = new Map();
for (const secret of allSecrets) secretsAt.set(at(secret), [...(secretsAt.get(at(secret)) ?? []), secret]);
const snapshotOf = (secret, version, date) => ({
  workspace: secret.workspace,
  environment: secret.environment,
  folderId: secret.folder,
  version,
  secretVersions: secretsAt.get(at(secret)).map(({ _id }) => latest.get(String(_id))),
  ...dated(date),
});
await insertEach(snapshots, 7_000, (number) => snapshotOf(choose(allSecrets), 1 + number, ago(400)));

// What was done, kept for a year; and changes that wait for others.
const EVENTS = ['get-secrets', 'get-secrets', 'get-secret', 'update-secret', 'create-secret', 'user-login'];
const audit = (createdAt) => {
  const { workspace: _id, environment } = anyPlace();
  const type = choose(EVENTS);
  const actor =
    random() < 0.7
      ? { type: 'identity', metadata: { identityId: String(choose(allIdentities)._id), name: word() } }
      : { type: 'user', metadata: { userId: String(user()._id), email: `${word()}@example.com` } };
  const METADATA = {
    'get-secrets': { environment, secretPath: '/', numberOfSecrets: below(90) },
    'user-login': { method: 'email' },
  };
  const secret = choose(allSecrets);
  return {
    actor,
    organization: organizations[skewed(240)],
    workspace: _id,
    ipAddress: `10.1.${below(255)}.${below(255)}`,
    event: {
      type,
      metadata: METADATA[type] ?? {
        environment,
        secretPath: '/',
        secretId: String(secret._id),
        secretKey: word().toUpperCase(),
        secretVersion: secret.version,
      },
    },
    userAgent: choose(['infisical-cli/0.14', 'Mozilla/5.0', 'k8-operator']),
    userAgentType: choose(['cli', 'web', 'k8-operator']),
    expiresAt: new Date(createdAt.getTime() + 365 * DAY),
    ...dated(createdAt),
  };
};
await insertEach(audits, 30_000, (number) => audit(new Date(now - (30_000 - number) * 800_000)));
const allPolicies = await insertEach(policies, 80, () => ({
  workspace: workspace()._id,
  environment: 'prod',
  secretPath: '/',
  approvers: some(between(1, 4), () => membership()._id),
  approvals: 1,
}));
await insertEach(requests, 1_800, (number) => {
  const policy = allPolicies[skewed(80)];
  return {
    workspace: policy.workspace,
    environment: 'prod',
    folderId: 'root',
    slug: token(10),
    reviewers: [{ member: membership()._id, status: choose(['approved', 'pending']) }],
    policy: policy._id,
    hasMerged: number % 6 > 0,
    status: number % 6 > 0 ? 'close' : 'open',
    committer: membership()._id,
    commits: some(heavyTailed(1, 40, 1), () => ({
      op: 'update',
      secret: choose(allSecrets)._id,
      newVersion: { version: 2, ...content() },
    })),
    conflicts: [],
    ...dated(ago(300)),
  };
});

export {
  DAY,
  ENVIRONMENTS,
  allMachineTokens,
  allPolicies,
  allSecrets,
  allSessions,
  anyPlace,
  audit,
  audits,
  client,
  content,
  folderVersions,
  folders,
  identities,
  imports,
  machineTokens,
  membership,
  memberships,
  now,
  policies,
  requests,
  salts,
  secrets,
  sessions,
  snapshotOf,
  snapshots,
  users,
  versionOf,
  versions,
  workspaces,
};
