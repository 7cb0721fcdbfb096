/** What a screen shows is in its address: filters, selection, sorting, tabs. Reload, back and a copied link show the same. */
import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from './ui/toasts.tsx';

/** The router's form of a query string: all values are strings. */
export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));
export function stringifySearch(search: Record<string, unknown>): string {
  const text = new URLSearchParams(Object.entries(search).map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text && `?${text}`;
}

/** While somebody types, the address follows after this rest, in ms. */
const typingMs = 250;

export type Url<T> = [value: T, set: (change: Partial<T>) => void, type: (change: Partial<T>) => void];

/**
 * The parameters of the screen's address; a screen has one of these.
 * @param defaults all parameters with their defaults, which the address leaves out; the same object between renders
 * @returns values; `set`, for what is chosen, makes an entry in the history; `type`, for text fields, does not, and the
 *   address follows after a pause in typing
 */
export function useUrl<T extends Record<string, string>>(defaults: T): Url<T> {
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, string> });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const navigate = useNavigate();
  const router = useRouter();
  const [typed, setTyped] = useState<Partial<T>>({});
  const waiting = useRef<{ timer: number; change: Partial<T> } | null>(null);

  const write = useCallback(
    (change: Partial<T>, replace: boolean) => {
      void navigate({
        to: path,
        replace,
        search: (old: Record<string, string>) =>
          Object.fromEntries(Object.entries({ ...old, ...change }).filter(([name, value]) => name in defaults && value !== defaults[name])),
      });
    },
    [navigate, path, defaults],
  );
  const set = useCallback(
    (change: Partial<T>) => {
      const before = waiting.current;
      if (before) window.clearTimeout(before.timer);
      waiting.current = null;
      setTyped({});
      write({ ...before?.change, ...change }, false);
    },
    [write],
  );
  const type = useCallback(
    (change: Partial<T>) => {
      if (waiting.current) window.clearTimeout(waiting.current.timer);
      const all = { ...waiting.current?.change, ...change };
      setTyped(all);
      waiting.current = {
        change: all,
        timer: window.setTimeout(() => {
          waiting.current = null;
          // Somebody has gone on to another screen, which is being loaded: writing would bring her back.
          if (router.latestLocation.pathname !== path) return;
          write(all, true);
          setTyped({});
        }, typingMs),
      };
    },
    [write, router, path],
  );
  useEffect(
    () => () => {
      if (waiting.current) window.clearTimeout(waiting.current.timer);
    },
    [],
  );
  // While the next screen is loaded, the address is that screen's already.
  const arrived = useRouterState({ select: ({ status }) => status === 'idle' });
  const unknown = arrived
    ? Object.keys(search)
        .filter((name) => !(name in defaults))
        .join(', ')
    : '';
  useEffect(() => {
    if (unknown === '') return;
    toast(`Unknown parameters in the address: ${unknown}`);
    write({}, true);
  }, [unknown, write]);

  const known = Object.fromEntries(Object.entries(search).filter(([name]) => name in defaults)) as Partial<T>;
  return [{ ...defaults, ...known, ...typed }, set, type];
}
