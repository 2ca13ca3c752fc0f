import { describe, expect, it } from 'vitest';
import { freshDatabase, sharedClient } from './database.js';

const client = sharedClient();

describe('the shared replica set', () => {
  it('answers as a primary', async () => {
    const hello = await client.db('admin').command({ hello: 1 });
    expect(hello).toMatchObject({ isWritablePrimary: true, setName: expect.any(String) });
  });
});

describe('freshDatabase', () => {
  const names: string[] = [];

  describe('while its describe runs', () => {
    const one = freshDatabase(client);
    const other = freshDatabase(client);
    names.push(one.databaseName, other.databaseName);

    it('is empty and no other test has it', async () => {
      expect(one.databaseName).not.toBe(other.databaseName);
      await one.collection('orders').insertOne({ total: 1 });
      expect(await other.collection('orders').countDocuments()).toBe(0);
      expect(await one.collection('orders').countDocuments()).toBe(1);
    });
  });

  it('is gone afterwards', async () => {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    const left = databases.filter(({ name }) => names.includes(name));
    expect(left).toEqual([]);
  });
});
