import type { Application } from '../application.js';

export const SOCKET_IO: Application = {
  name: 'socket-io',
  kind: 'message bus',
  packages: {
    'socket.io': '4.8.4',
    'socket.io-client': '4.8.4',
    '@socket.io/mongo-adapter': '0.4.0',
    mongodb: '6.22.0',
  },
  expectedBefore: {
    useful: [],
    noise: [
      "the events' differing shapes by type",
      'the TTL index as unused',
      'events as measurements: they are read by a change stream only',
    ],
  },
  findings: [],
  missed: [],
};
