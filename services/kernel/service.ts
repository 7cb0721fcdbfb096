import type { Kernel } from './kernel.ts';

/**
 * Base class of all services. Every service uses the database; `Names` are the other parts of the kernel that it uses,
 * `Others` its further dependencies.
 */
export abstract class Service<Names extends keyof Kernel = never, Others = unknown> {
  protected readonly deps: Pick<Kernel, 'db' | Names> & Others;

  constructor(deps: Pick<Kernel, 'db' | Names> & Others) {
    this.deps = deps;
  }

  protected get db(): Kernel['db'] {
    return this.deps.db;
  }
}
