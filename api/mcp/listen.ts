import { AsyncLocalStorage } from 'node:async_hooks';
import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server';
import type { Exchange } from './exchange.ts';
import type { ListChanges } from './list-changes.ts';

/**
 * The bus behind `subscriptions/listen` (2026-07-28). The SDK sends each event to every stream; here a stream also
 * gets changes of its own caller only. The SDK does not pass the caller to the bus, hence the async storage.
 */
export function listeningBus(changes: ListChanges): {
  bus: ServerEventBus;
  /** Runs `work`; streams opened in it belong to this caller. */
  listening<T>(exchange: Exchange, work: () => Promise<T>): Promise<T>;
} {
  const everybody = new InMemoryServerEventBus();
  const opener = new AsyncLocalStorage<Exchange>();
  return {
    bus: {
      publish: (event) => everybody.publish(event),
      subscribe(listener) {
        const leave = everybody.subscribe(listener);
        const exchange = opener.getStore();
        if (!exchange) return leave;
        const { caller, profile } = exchange;
        const unfollow = changes.follow({
          tenant: caller.tenant,
          profile,
          session: caller.access?.session?.id,
          tell: () => listener({ kind: 'tools_list_changed' }),
        });
        return () => {
          leave();
          unfollow();
        };
      },
    },
    listening: (exchange, work) => opener.run(exchange, work),
  };
}
