import { ObjectId, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { identityFrom, isSameServer } from '../../src/rehearsal/server-identity.js';

const processOf = (seed: number) => ({ topologyVersion: { processId: ObjectId.createFromTime(seed) } });
const member = (seed: number, setName: string, ...hosts: string[]): Document => ({
  ...processOf(seed),
  setName,
  hosts,
  me: hosts[0],
});

describe('one server', () => {
  it.each<[string, [Document, string], [Document, string]]>([
    ['by its process, at two addresses', [processOf(1), 'db1:27017'], [processOf(1), 'relay:9999']],
    ['as two members of a set', [member(1, 'rs', 'a:1', 'b:1'), 'a:1'], [member(2, 'rs', 'b:1', 'a:1'), 'b:1']],
    ['as a set whose hosts are written in capitals', [member(1, 'rs', 'A:1'), 'x:1'], [member(2, 'rs', 'a:1'), 'y:1']],
    ['by the address, if it does not tell its process', [{}, 'db1:27017'], [{}, 'DB1:27017']],
  ])('is known %s', (_, [one, at], [other, elsewhere]) => {
    expect(isSameServer(identityFrom(one, [at]), identityFrom(other, [elsewhere]))).toBe(true);
  });

  it.each<[string, [Document, string], [Document, string]]>([
    ['of another process', [processOf(1), 'a:1'], [processOf(2), 'b:1']],
    ['that tells nothing', [{}, 'a:1'], [{}, 'b:1']],
    ['of a set of the same name', [member(1, 'rs', 'a:1'), 'a:1'], [member(2, 'rs', 'b:1'), 'b:1']],
    [
      'of another set on the same hosts, as behind tunnels',
      [member(1, 'rs', 'h:1'), 'a:1'],
      [member(2, 'qa', 'h:1'), 'b:1'],
    ],
  ])('is not taken for one %s', (_, [one, at], [other, elsewhere]) => {
    expect(isSameServer(identityFrom(one, [at]), identityFrom(other, [elsewhere]))).toBe(false);
  });
});
