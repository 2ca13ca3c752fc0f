import { formatCount } from '../../format.js';
import { absent } from '../../presence.js';
import { isReadableByNamespace, readOplog } from '../../growth/oplog.js';
import { findOn } from '../privilege.js';
import type { ClusterSource } from '../source.js';

/** Share of the oplog's entries that may be left unread without a word: some bulk load is always on. */
const MOST_UNREAD_SHARE = 0.1;

export const oplog: ClusterSource<'oplog'> = {
  name: 'oplog',
  restsOn: [],
  privileges: [findOn('local', 'oplog.rs')],
  collect: ({ reader, cluster }) => readOplog(reader, cluster),
  gap(reading) {
    if (!reading.present) return isReadableByNamespace(reading) ? null : reading;
    const { entries, unread, drawnFrom } = reading.value;
    if (drawnFrom.unreadShare < MOST_UNREAD_SHARE) return null;
    const detail = `reading the oplog: the updates in ${formatCount(unread)} of ${formatCount(entries)} entries were not read: they are larger than 64 KB, parts of prepared transactions, or of an unknown form.`;
    return absent('bound', detail);
  },
};
