import type { Exhibit } from '../exhibit.js';
import { oversizedDocument } from './oversized-document.js';

/** On the calibrations of `oversized-document`, which are planted before. The demo's own oplog is a minute old. */
export const shortOplog: Exhibit = {
  check: 'short-oplog',
  story: 'a document of 15 MB that change streams are to show before and after each change / none as large',
  needsMember: true,
  bad: {
    name: oversizedDocument.bad.name,
    path: null,
    async plant(database) {
      await database.command({ collMod: this.name, changeStreamPreAndPostImages: { enabled: true } });
    },
  },
  twin: {
    name: oversizedDocument.twin.name,
    async plant(database) {
      await database.command({ collMod: this.name, changeStreamPreAndPostImages: { enabled: true } });
    },
  },
};
