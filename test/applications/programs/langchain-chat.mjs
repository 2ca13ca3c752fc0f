import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { MongoDBChatMessageHistory } from '@langchain/mongodb';
import { MongoClient } from 'mongodb';
import { heavyTailed, times, uri, words } from './support.mjs';

const client = new MongoClient(uri, { driverInfo: { name: 'langchainjs' } });
const collection = client.db().collection('memory');
// Most conversations are short, some go on for months.
await times(1_500, async (session) => {
  const history = new MongoDBChatMessageHistory({ collection, sessionId: `session-${session}` });
  const turns = heavyTailed(1, 250, 1);
  for (let turn = 0; turn < turns; turn += 1) {
    await history.getMessages();
    await history.addMessage(new HumanMessage(words(20)));
    await history.addMessage(new AIMessage(words(80)));
  }
});
await client.close();
