import type { WebClient } from '../web/types.ts';
import { signalboxPeers } from './signalbox.ts';
import type { A2aPort, PeerPorts } from './types.ts';

/**
 * Ports to other agents, by protocol.
 * @param guarded for event streams, which a WebClient does not support
 */
export const openPeers = (web: WebClient, guarded: typeof fetch): PeerPorts => ({
  signalbox: signalboxPeers(web),
  a2a: onDemand(async () => (await import('./a2a.ts')).a2aPeers({ web, guarded })),
});

/** The A2A client, loaded with the first task that is handed to such an agent. */
function onDemand(load: () => Promise<A2aPort>): A2aPort {
  let loading: Promise<A2aPort> | undefined;
  const port = (): Promise<A2aPort> => (loading ??= load());
  return {
    idempotent: false,
    send: async (...asked) => await (await port()).send(...asked),
    follow: async (...asked) => await (await port()).follow(...asked),
    cancel: async (...asked) => await (await port()).cancel(...asked),
  };
}
