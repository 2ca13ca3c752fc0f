import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { MongoDBSaver } from '@langchain/langgraph-checkpoint-mongodb';
import { MongoClient } from 'mongodb';
import { databaseName, heavyTailed, times, uri, words } from './support.mjs';

const client = new MongoClient(uri);
const checkpointer = new MongoDBSaver({ client, dbName: databaseName });
await checkpointer.setup();
const graph = new StateGraph(MessagesAnnotation)
  .addNode('agent', () => ({ messages: [new AIMessage(words(60))] }))
  .addEdge(START, 'agent')
  .compile({ checkpointer });
await times(
  400,
  async (thread) => {
    const config = { configurable: { thread_id: `thread-${thread}` } };
    const turns = heavyTailed(1, 40, 1);
    for (let turn = 0; turn < turns; turn += 1) await graph.invoke({ messages: [new HumanMessage(words(20))] }, config);
    if (thread % 4 === 0) await graph.getState(config);
    if (thread % 40 === 0) for await (const state of graph.getStateHistory(config)) if (state === null) break;
  },
  8,
);
await client.close();
