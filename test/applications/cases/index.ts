import type { Application } from '../application.js';
import { AGENDA } from './agenda.js';
import { APOSTROPHE } from './apostrophe.js';
import { AUTH_ADAPTER } from './auth-adapter.js';
import { BETTER_AUTH } from './better-auth.js';
import { BITCORE } from './bitcore.js';
import { CASBIN_POLICY } from './casbin-policy.js';
import { CLEARML } from './clearml.js';
import { CONNECT_MONGO } from './connect-mongo.js';
import { COUNTLY } from './countly.js';
import { FIWARE } from './fiware.js';
import { FORMIO } from './formio.js';
import { GRIDFS_UPLOADS } from './gridfs-uploads.js';
import { GROWI } from './growi.js';
import { GROWTHBOOK } from './growthbook.js';
import { HABITICA } from './habitica.js';
import { HYDRO } from './hydro.js';
import { INFISICAL } from './infisical.js';
import { LANGCHAIN_CHAT } from './langchain-chat.js';
import { LANGGRAPH } from './langgraph.js';
import { LEARNINGLOCKER } from './learninglocker.js';
import { LIBRECHAT } from './librechat.js';
import { LICHESS } from './lichess.js';
import { LOOPBACK } from './loopback.js';
import { MONGODB_QUEUE } from './mongodb-queue.js';
import { MONGOOSE_BLOG } from './mongoose-blog.js';
import { NIGHTSCOUT } from './nightscout.js';
import { NODEBB } from './nodebb.js';
import { NOVU } from './novu.js';
import { OPENIM } from './openim.js';
import { OVERLEAF } from './overleaf.js';
import { PARSE_SERVER } from './parse-server.js';
import { PAYLOAD } from './payload.js';
import { RATE_LIMITER } from './rate-limiter.js';
import { REACTION } from './reaction.js';
import { ROCKETCHAT } from './rocketchat.js';
import { SOCKET_IO } from './socket-io.js';
import { TRUDESK } from './trudesk.js';
import { WEKAN } from './wekan.js';
import { WINSTON_LOG } from './winston-log.js';
import { YAPI } from './yapi.js';

export const APPLICATIONS: readonly Application[] = [
  AGENDA,
  MONGODB_QUEUE,
  CONNECT_MONGO,
  AUTH_ADAPTER,
  BETTER_AUTH,
  RATE_LIMITER,
  MONGOOSE_BLOG,
  PAYLOAD,
  PARSE_SERVER,
  LANGCHAIN_CHAT,
  LANGGRAPH,
  GRIDFS_UPLOADS,
  LOOPBACK,
  WINSTON_LOG,
  CASBIN_POLICY,
  SOCKET_IO,
  LIBRECHAT,
  NIGHTSCOUT,
  WEKAN,
  OVERLEAF,
  GROWI,
  YAPI,
  NODEBB,
  TRUDESK,
  OPENIM,
  ROCKETCHAT,
  NOVU,
  HABITICA,
  LEARNINGLOCKER,
  FIWARE,
  HYDRO,
  GROWTHBOOK,
  APOSTROPHE,
  REACTION,
  FORMIO,
  CLEARML,
  BITCORE,
  LICHESS,
  COUNTLY,
  INFISICAL,
];
