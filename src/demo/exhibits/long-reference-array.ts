import { ObjectId } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';

const HOSTS = 60;

export const longReferenceArray: Exhibit = {
  check: 'long-reference-array',
  story: 'a host that lists the _ids of all its log messages / messages that refer to their host',
  bad: {
    name: 'hosts_listing_messages',
    path: 'messages',
    async plant(database) {
      const random = new SeededRandom(2);
      const hosts = Array.from({ length: HOSTS }, (_, index) => ({
        name: `host-${index}`,
        messages: Array.from({ length: random.between(100, 12_000) }, () => new ObjectId()),
      }));
      await database.collection(this.name).insertMany(hosts);
    },
  },
  twin: {
    name: 'messages_naming_host',
    async plant(database) {
      const random = new SeededRandom(2);
      const hosts = Array.from({ length: HOSTS }, () => new ObjectId());
      const messages = Array.from({ length: 6_000 }, () => ({
        host: random.choose(hosts),
        severity: random.between(0, 7),
        text: 'connection accepted',
      }));
      await database.collection(this.name).createIndex({ host: 1 });
      await database.collection(this.name).insertMany(messages);
    },
  },
};
