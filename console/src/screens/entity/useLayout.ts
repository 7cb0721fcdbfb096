import { useEffect, useState } from 'react';
// The address of the built worker: vite makes it.
// oxlint-disable-next-line import/default
import workerUrl from './layout.worker.ts?worker&url';
import type { Pictured, Spot } from './graph.ts';

interface Trusted {
  trustedTypes?: { createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string } };
}

/** The page's policy takes addresses of scripts from a policy alone: this one knows a single address. */
const policy = (globalThis as Trusted).trustedTypes?.createPolicy('signalbox-layout', {
  createScriptURL: (url) => {
    if (url !== workerUrl) throw new TypeError('This is not the worker.');
    return url;
  },
});

let worker: Worker | null = null;
/** One for all pictures. Called early, it is there when the first one is. */
export const layoutWorker = (): Worker =>
  (worker ??= new Worker(policy ? policy.createScriptURL(workerUrl) : workerUrl, { type: 'module' }));

let turns = 0;

/** Where the nodes stand, from the worker; null until they are laid out. */
export function useLayout({ nodes, edges }: Pick<Pictured, 'nodes' | 'edges'>): ReadonlyMap<string, Spot> | null {
  const [spots, setSpots] = useState<ReadonlyMap<string, Spot> | null>(null);
  useEffect(() => {
    const turn = (turns += 1);
    const own = layoutWorker();
    // An answer about a former picture comes too late.
    const hear = ({ data }: MessageEvent<{ turn: number; spots: Record<string, Spot> }>): void => {
      if (data.turn === turn) setSpots(new Map(Object.entries(data.spots)));
    };
    own.addEventListener('message', hear);
    const links = edges.map(({ source, target }) => ({ source, target }));
    own.postMessage({ turn, ids: nodes.map(({ entity_id }) => entity_id), links });
    return () => own.removeEventListener('message', hear);
  }, [nodes, edges]);
  return spots;
}
