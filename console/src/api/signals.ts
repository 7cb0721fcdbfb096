/** Something that happened, for whoever listens. */
export class Signal<T = void> {
  private readonly listeners = new Set<(value: T) => void>();

  on(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  fire(value: T): void {
    for (const listener of this.listeners) listener(value);
  }
}

/** A value that components follow with `useSyncExternalStore`. */
export class Store<T> {
  private readonly changed = new Signal();
  private value: T;

  constructor(value: T) {
    this.value = value;
  }

  readonly get = (): T => this.value;
  readonly on = (listener: () => void): (() => void) => this.changed.on(listener);

  set(value: T): void {
    if (Object.is(value, this.value)) return;
    this.value = value;
    this.changed.fire();
  }
}

/** The server does not know the session any longer. */
export const sessionEnded = new Signal();
