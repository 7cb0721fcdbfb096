import type {
  CaughtUp,
  RebuildCounts,
  RebuildPlace,
  RebuildProgress,
  RebuildStep,
} from '../../../contracts/activities/kernel/projection.ts';

export interface Refusal {
  code: 'CONFLICT';
  message: string;
  hint: string;
  reason: string;
}

/** State that continue-as-new carries over. */
export interface Carried {
  place: RebuildPlace | null;
  rebuild: RebuildProgress;
  /** Ids of recent updates, with the tenant of each. */
  recent: [updateId: string, tenant: string | null][];
  idle: number;
  off: boolean;
}

/** Polling intervals of the outbox in seconds, increasing while nothing happens; a signal interrupts the wait. */
const pauses = [2, 5, 10, 30] as const;
/** Without a copy, only a change of settings can create work. */
const pauseWhenOff = 60;
const remembered = 16;
const nothing: RebuildCounts = { tenants: 0, documents: 0, passages: 0, strays: 0 };

/** State of a projection; the workflow does the waiting. */
export class ProjectionState {
  private place: RebuildPlace | null;
  private rebuild: RebuildProgress;
  private recent: Carried['recent'];
  private idle: number;
  private off: boolean;
  private more = false;
  private woken = false;

  constructor(carried?: Carried) {
    this.place = carried?.place ?? null;
    this.rebuild = carried?.rebuild ?? { ...nothing, state: 'none', tenant: null };
    this.recent = carried?.recent ?? [];
    this.idle = carried?.idle ?? 0;
    this.off = carried?.off ?? false;
  }

  /** Null: this update may be applied, or is a repeat. */
  check(updateId: string): Refusal | null {
    if (this.place === null || this.knows(updateId)) return null;
    const whose = this.rebuild.tenant === null ? 'all tenants' : 'a tenant';
    return {
      code: 'CONFLICT',
      message: `A rebuild of ${whose} is under way.`,
      hint: 'Wait until it has ended; its process shows how far it is.',
      reason: 'running',
    };
  }

  /** A repeated update changes nothing. */
  request(updateId: string, tenant: string | null): RebuildProgress {
    if (!this.knows(updateId)) {
      this.recent = [...this.recent, [updateId, tenant] as Carried['recent'][number]].slice(-remembered);
      this.begin(tenant);
      this.woken = true;
    }
    return this.progress();
  }

  wake(): void {
    this.woken = true;
  }

  /** Signals from here on request another look. */
  looking(): void {
    this.woken = false;
  }

  caughtUp({ state, documents, unprojected }: CaughtUp): void {
    this.off = state === 'off';
    this.more = state === 'more';
    this.idle = documents > 0 ? 0 : Math.min(this.idle + 1, pauses.length - 1);
    // A tenant is new, or the copy was wiped. Later requests wait until it is built.
    if (unprojected !== null && this.place === null) this.begin(unprojected);
  }

  /** The next place of the rebuild; null: no rebuild is running. */
  get next(): RebuildPlace | null {
    return this.off ? null : this.place;
  }

  stepped({ place, done }: RebuildStep): void {
    this.place = place;
    this.rebuild = {
      tenant: this.rebuild.tenant,
      state: place === null ? 'done' : 'running',
      tenants: this.rebuild.tenants + done.tenants,
      documents: this.rebuild.documents + done.documents,
      passages: this.rebuild.passages + done.passages,
      strays: this.rebuild.strays + done.strays,
    };
    // Another tenant may need a rebuild.
    if (place === null) this.woken = true;
  }

  /** Whether there is something to do immediately. */
  get busy(): boolean {
    return this.woken || (!this.off && (this.more || this.place !== null));
  }

  /** Seconds to wait for a signal. */
  get pause(): number {
    return this.off ? pauseWhenOff : pauses[this.idle]!;
  }

  /** Value in Temporal's list. */
  get status(): 'following' | 'rebuilding' | 'off' {
    return this.off ? 'off' : this.place === null ? 'following' : 'rebuilding';
  }

  progress(): RebuildProgress {
    return { ...this.rebuild };
  }

  carried(): Carried {
    return { place: this.place, rebuild: this.rebuild, recent: this.recent, idle: this.idle, off: this.off };
  }

  private begin(tenant: string | null): void {
    this.place = { only: tenant, tenant: null, stage: 'begin', after: null };
    this.rebuild = { ...nothing, state: 'running', tenant };
  }

  private knows(updateId: string): boolean {
    return this.recent.some(([id]) => id === updateId);
  }
}
