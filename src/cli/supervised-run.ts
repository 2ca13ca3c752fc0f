import type { MessagePort } from 'node:worker_threads';
import type { Handover, Order, RunStart } from './handover.js';
import { HandoverQueue } from './handover-queue.js';
import { orderedInterruption } from './interruption.js';
import type { Io } from './io.js';
import { exitCodeOf } from './run-process.js';
import { ThreadOutput, type OutputName } from './thread-output.js';

/** Runs the command line in this thread, and tells its supervisor through the port how far it is, and what it writes. */
export async function runSupervised(port: MessagePort, { argv, outputs }: RunStart): Promise<void> {
  const queue = new HandoverQueue((messages) => port.postMessage(messages));
  const send = (message: Handover): void => queue.add(message);
  const output = (to: OutputName) => new ThreadOutput(outputs[to], (text) => send({ kind: 'written', to, text }));
  const [stdout, stderr] = [output('stdout'), output('stderr')];
  port.on('message', (order: Order) => {
    if (order.kind !== 'resize') return;
    stdout.resize(order.columns.stdout);
    stderr.resize(order.columns.stderr);
  });
  const io: Io = {
    stdout,
    stderr,
    env: process.env,
    cwd: () => process.cwd(),
    interruption: () => orderedInterruption(port, stderr),
    handOver: send,
  };
  const exitCode = await exitCodeOf(argv, io);
  send({ kind: 'ended', exitCode });
}
