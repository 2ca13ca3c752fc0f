import { MongoClient } from 'mongodb';
import type { Document } from 'mongodb';

/** Runs one command on the database `admin` of the server at `uri`, over a connection of its own. */
export async function runCommand(uri: string, command: Document): Promise<Document> {
  const client = new MongoClient(uri);
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}
