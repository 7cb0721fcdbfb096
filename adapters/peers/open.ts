import type { WebClient } from '../web/types.ts';
import { a2aPeers } from './a2a.ts';
import { signalboxPeers } from './signalbox.ts';
import type { PeerPorts } from './types.ts';

/** How other agents are spoken to, by protocol. @param guarded for what a WebClient cannot do: streams of events */
export const openPeers = (web: WebClient, guarded: typeof fetch): PeerPorts => ({
  signalbox: signalboxPeers(web),
  a2a: a2aPeers({ web, guarded }),
});
