import { describe, expect, it } from 'vitest';
import { strangerIn } from '../../src/files/file-owner.js';

const own = process.geteuid?.() ?? 0;

describe.runIf(process.platform !== 'win32')('who but this user and root may write', () => {
  it.each([
    ['a file of this user', { uid: own, gid: own, mode: 0o100644 }, null],
    ['a file of root', { uid: 0, gid: 0, mode: 0o100664 }, null],
    ['a file that the group of this user alone may write to', { uid: own, gid: own, mode: 0o100664 }, null],
    ['a file that another group may read', { uid: own, gid: own + 1, mode: 0o100644 }, null],
    ['a file that another group may write to', { uid: own, gid: own + 1, mode: 0o100664 }, 'can be written by others'],
    ['a file that everybody may write to', { uid: own, gid: own, mode: 0o100646 }, 'can be written by others'],
    ['a folder that everybody may write to', { uid: 0, gid: 0, mode: 0o041777 }, 'can be written by others'],
    ['a file of another user', { uid: own + 1, gid: own, mode: 0o100600 }, 'belongs to another user'],
  ])('%s', (_, status, expected) => {
    expect(strangerIn(status)).toBe(expected);
  });
});
