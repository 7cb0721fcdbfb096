import { useEffect, useRef, useState } from 'react';
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

/** Where the nodes stand, from the worker; null until they are laid out. */
export function useLayout({ nodes, edges }: Pick<Pictured, 'nodes' | 'edges'>): ReadonlyMap<string, Spot> | null {
  const worker = useRef<Worker | null>(null);
  const turn = useRef(0);
  const [spots, setSpots] = useState<ReadonlyMap<string, Spot> | null>(null);
  useEffect(() => {
    const own = new Worker(policy ? policy.createScriptURL(workerUrl) : workerUrl, { type: 'module' });
    own.addEventListener('message', ({ data }: MessageEvent<{ turn: number; spots: Record<string, Spot> }>) => {
      // An answer about a former picture comes too late.
      if (data.turn === turn.current) setSpots(new Map(Object.entries(data.spots)));
    });
    worker.current = own;
    return () => {
      worker.current = null;
      own.terminate();
    };
  }, []);
  useEffect(() => {
    turn.current += 1;
    const links = edges.map(({ source, target }) => ({ source, target }));
    worker.current?.postMessage({ turn: turn.current, ids: nodes.map(({ entity_id }) => entity_id), links });
  }, [nodes, edges]);
  return spots;
}
