/** Choices of this browser. Nothing secret. */
import { useSyncExternalStore } from 'react';
import { Store } from './api/signals.ts';

const kept = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

export type Theme = 'system' | 'light' | 'dark';
const theme = new Store<Theme>((kept('sb-theme') as Theme | null) ?? 'system');
const utc = new Store(kept('sb-utc') === 'true');
export const densities = ['comfortable', 'normal', 'compact'] as const;
export type Density = (typeof densities)[number];
const density = new Store<Density>((kept('sb-density') as Density | null) ?? 'normal');
const singleKeys = new Store(kept('sb-keys') !== 'false');

const keep = (name: string, value: string | null): void => {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // A browser without storage forgets it.
  }
};

export const settings = { theme, utc, singleKeys, density };

export function setTheme(value: Theme): void {
  theme.set(value);
  keep('sb-theme', value === 'system' ? null : value);
  if (value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = value;
}

export function setUtc(value: boolean): void {
  utc.set(value);
  keep('sb-utc', String(value));
}

export function setSingleKeys(value: boolean): void {
  singleKeys.set(value);
  keep('sb-keys', String(value));
}

/** Of the rows of lists. */
export function setDensity(value: Density): void {
  density.set(value);
  keep('sb-density', value === 'normal' ? null : value);
  showDensity();
}
const showDensity = (): void => void (document.documentElement.dataset['density'] = density.get());
showDensity();

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.on, store.get);
