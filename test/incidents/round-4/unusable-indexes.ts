import { DAY, HOUR } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { repeat } from '../round-2/workload.js';

const mesh = (index: number) => `mesh//${index % 120}`;

/** Indexes that are there, but do not serve the query that they were made for. */
export const UNUSABLE_INDEXES: readonly Incident[] = [
  {
    name: 'meshcentral-device-list',
    source: 'https://github.com/Ylianst/MeshCentral/pull/8158',
    why: 'The list of devices is asked for with a collation that no index has: every page scans the collection and sorts in memory.',
    faults: [
      {
        what: 'Devices of a few groups are found with { locale: en, strength: 2 }; TypeDomainMesh1 has no collation and cannot serve strings.',
        collection: 'meshcentral',
        about: 'meshid',
        severity: 'warning',
        cure: "db.meshcentral.createIndex({ type: 1, domain: 1, meshid: 1, name: 1 }, { collation: { locale: 'en', strength: 2 } })",
      },
    ],
    async plant(p) {
      await p.fill('meshcentral', [
        ...p.times(120, (index) => ({
          _id: mesh(index),
          type: 'mesh',
          domain: '',
          name: p.words(2),
          mtype: 2,
          desc: p.words(p.random.between(0, 8)),
        })),
        ...p.times(600, (index) => ({
          _id: `user//${p.word()}${index}`,
          type: 'user',
          domain: '',
          name: p.word(),
          email: `user${index}@example.org`,
          emailVerified: p.random.chance(0.8),
          login: Math.floor(p.date().getTime() / 1_000),
        })),
        ...p.times(9_000, (index) => ({
          _id: `node//${index}`,
          type: 'node',
          domain: '',
          meshid: mesh(p.random.below(120)),
          name: `${p.word().toUpperCase()}-${index}`,
          rname: p.word(),
          host: `10.${index % 200}.${p.random.below(250)}.${p.random.below(250)}`,
          osdesc: p.random.choose(['Windows 11 Pro', 'Windows Server 2022', 'Ubuntu 24.04', 'Debian 12']),
          agent: { ver: 0, id: p.random.between(3, 40), caps: 31, core: p.words(6) },
          av: p.times(p.random.between(0, 3), () => ({ product: p.words(2), updated: true, enabled: true })),
          tags: p.times(p.random.between(0, 3), () => p.word()),
        })),
        ...p.times(9_000, (index) => ({
          _id: `lcnode//${index}`,
          type: 'lastconnect',
          domain: '',
          meshid: mesh(p.random.below(120)),
          time: p.date(30 * DAY).getTime(),
          addr: `192.0.2.${p.random.below(250)}:${p.random.between(1_024, 60_000)}`,
        })),
        ...p.times(3_000, (index) => ({
          _id: `sinode//${index}`,
          type: 'sysinfo',
          domain: '',
          time: p.date(90 * DAY).getTime(),
          hardware: { identifiers: { bios_vendor: p.word(), board_name: p.words(2) }, memory: p.words(60) },
        })),
      ]);
      const main = p.database.collection('meshcentral');
      await main.createIndex({ type: 1, domain: 1, meshid: 1 }, { sparse: true, name: 'TypeDomainMesh1' });
      await main.createIndex({ email: 1 }, { sparse: true, name: 'Email1' });
      await main.createIndex({ meshid: 1 }, { sparse: true, name: 'Mesh1' });
      await main.createIndex({ 'intelamt.uuid': 1 }, { sparse: true, name: 'AmtUuid1' });
    },
    async use(database, p) {
      const main = database.collection<{ _id: string }>('meshcentral');
      await repeat(300, () => main.find({ _id: `node//${p.random.below(9_000)}` }).toArray());
      await repeat(80, () => {
        const meshes = p.times(3, () => `mesh//${p.random.below(120)}`);
        const extras = p.times(p.random.between(0, 3), () => `node//${p.random.below(9_000)}`);
        const filter = { type: 'node', domain: '', $or: [{ meshid: { $in: meshes } }, { _id: { $in: extras } }] };
        return main
          .find(filter, { projection: { type: 0 } })
          .collation({ locale: 'en', strength: 2 })
          .sort({ name: 1 })
          .limit(200)
          .toArray();
      });
      await repeat(250, (index) => {
        const node = p.random.below(9_000);
        const meshid = `mesh//${node % 120}`;
        const seen = { type: 'lastconnect', domain: '', meshid, time: p.now + index, addr: '192.0.2.7:4433' };
        return main.replaceOne({ _id: `lcnode//${node}` }, seen, { upsert: true });
      });
      await repeat(60, () =>
        main.find({ type: 'user', domain: '', email: `user${p.random.below(600)}@example.org` }).toArray(),
      );
    },
  },
  {
    name: 'gravitee-page-revisions',
    source: 'https://github.com/gravitee-io/issues/issues/9510',
    why: 'The last revision of a page is searched by a part of an _id that is a document: the index on _id cannot serve that.',
    faults: [
      {
        what: 'Every page view scans all revisions for _id.pageId and sorts those of the page, to return one.',
        collection: 'page_revisions',
        about: '_id.pageId',
        severity: 'warning',
        cure: "db.page_revisions.createIndex({ '_id.pageId': 1, '_id.revision': -1 })",
      },
    ],
    async plant(p) {
      await p.fill(
        'pages',
        p.times(900, (index) => ({
          _id: `page-${index}`,
          referenceId: `api-${Math.floor(index / 6)}`,
          referenceType: 'API',
          name: p.words(3),
          type: p.random.choose(['MARKDOWN', 'SWAGGER', 'MARKDOWN', 'FOLDER']),
          order: index % 6,
          published: true,
          content: p.words(p.heavyTailed(40, 900)),
          updatedAt: p.date(),
        })),
      );
      const revision = (page: number, number: number) => ({
        _id: { pageId: `page-${page}`, revision: number },
        name: p.words(3),
        hash: p.word() + p.word(),
        content: p.words(p.random.between(60, 220)),
        createdAt: p.date(number * HOUR),
      });
      await p.fill('page_revisions', [
        ...p.times(900, (page) => p.times(p.heavyTailed(1, 40), (number) => revision(page, number + 1))).flat(),
        // Fetched from a URL every hour.
        ...[3, 77, 412].flatMap((page) => p.times(1_600, (number) => revision(page, 100 + number))),
      ]);
      await p.database.collection('pages').createIndex({ referenceId: 1, referenceType: 1, order: 1 });
    },
    async use(database, p) {
      const pages = database.collection<{ _id: string }>('pages');
      const revisions = database.collection<{ _id: { pageId: string; revision: number } }>('page_revisions');
      const last = async (page: number) =>
        (
          await revisions
            .find({ '_id.pageId': `page-${page}` })
            .sort({ '_id.revision': -1 })
            .limit(1)
            .toArray()
        )[0]?._id.revision ?? 0;
      await repeat(120, async () => {
        const page = p.random.below(900);
        await pages.findOne({ _id: `page-${page}` });
        await last(page);
      });
      await repeat(30, async (index) => {
        const page = [3, 77, 412][index % 3]!;
        const next = (await last(page)) + 1;
        const content = p.words(120);
        const revision = { _id: { pageId: `page-${page}`, revision: next }, content, hash: p.word() };
        await revisions.insertOne(revision);
        await pages.updateOne({ _id: `page-${page}` }, { $set: { content, updatedAt: new Date(p.now + index) } });
      });
      await repeat(250, () =>
        pages
          .find({ referenceId: `api-${p.random.below(150)}`, referenceType: 'API' }, { projection: { content: 0 } })
          .sort({ order: 1 })
          .toArray(),
      );
      await repeat(60, () => {
        const _id = { pageId: `page-${p.random.below(900)}`, revision: 1 };
        return revisions.findOne({ _id });
      });
    },
  },
];
