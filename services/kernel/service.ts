import type { Kernel } from './kernel.ts';

/** Every service stands on the database. `Names` are the parts of the kernel that it uses beside it, `Others` what else it is given. */
export abstract class Service<Names extends keyof Kernel = never, Others = unknown> {
  protected readonly deps: Pick<Kernel, 'db' | Names> & Others;

  constructor(deps: Pick<Kernel, 'db' | Names> & Others) {
    this.deps = deps;
  }

  protected get db(): Kernel['db'] {
    return this.deps.db;
  }
}
