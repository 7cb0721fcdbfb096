/** One registry of shortcuts: the help sheet, the palette and the keys themselves are made from it. */
import { useLayoutEffect } from 'react';
import { Store } from './api/signals.ts';
import { settings } from './settings.ts';

export interface Shortcut {
  /** `g h`, `?`, `/`, `mod+k`. */
  keys: string;
  label: string;
  run: () => void;
}

export const shortcuts = new Store<Shortcut[]>([]);

/**
 * Of several shortcuts with the same keys, the one that came last counts.
 * @param list must be the same array between renders
 * @param yields it counts only while nobody else has its keys
 */
export function useShortcuts(list: Shortcut[], yields = false): void {
  // A key that is pressed as soon as the screen is seen acts.
  useLayoutEffect(() => {
    shortcuts.set(yields ? [...list, ...shortcuts.get()] : [...shortcuts.get(), ...list]);
    return () => shortcuts.set(shortcuts.get().filter((one) => !list.includes(one)));
  }, [list, yields]);
}

/** How long the second key of a pair is waited for, in ms. */
const pairMs = 1_500;
let first: { key: string; at: number } | null = null;

const writes = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Enter presses what has the focus, and so does Space, except links; only elsewhere are they shortcuts. */
const pressed: Record<string, string> = { Enter: 'a, button, summary, [role=button]', ' ': 'button, summary, [role=button]' };
const presses = ({ key, target }: KeyboardEvent): boolean =>
  pressed[key] !== undefined && target instanceof HTMLElement && target.closest(pressed[key]) !== null;

export function onKey(event: KeyboardEvent): void {
  const find = (keys: string) => shortcuts.get().findLast((shortcut) => shortcut.keys === keys);
  if ((event.ctrlKey || event.metaKey) && !event.altKey) {
    const found = find(`mod+${event.key.toLowerCase()}`);
    if (found) {
      event.preventDefault();
      found.run();
    }
    return;
  }
  if (event.altKey || !settings.singleKeys.get() || writes(event.target) || presses(event) || document.querySelector('[role=dialog]'))
    return;
  const pair = first && Date.now() - first.at < pairMs ? find(`${first.key} ${event.key}`) : undefined;
  first = { key: event.key, at: Date.now() };
  const found = pair ?? find(event.key);
  if (!found) return;
  event.preventDefault();
  found.run();
}
