import type { WebClient } from '../web/types.ts';
import { a2aPeers } from './a2a.ts';
import { signalboxPeers } from './signalbox.ts';
import type { PeerPorts } from './types.ts';

/**
 * Ports to other agents, by protocol.
 * @param guarded for event streams, which a WebClient does not support
 */
export const openPeers = (web: WebClient, guarded: typeof fetch): PeerPorts => ({
  signalbox: signalboxPeers(web),
  a2a: a2aPeers({ web, guarded }),
});
