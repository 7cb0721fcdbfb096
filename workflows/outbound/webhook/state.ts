import type { Delivered } from '../../../contracts/activities/outbound/webhook.ts';

/** Seconds that an idle process waits for more before it ends. */
const idle = 10;

export interface DeliveryCarried {
  delivered: number;
  givenUp: number;
}

/** State of a subscription's delivery; its row has the position. */
export class DeliveryState {
  private sums: DeliveryCarried;
  private woken = false;
  private hurried = false;
  private last: Pick<Delivered, 'state' | 'seconds'> = { state: 'more', seconds: 0 };

  constructor(carried?: DeliveryCarried) {
    this.sums = carried ?? { delivered: 0, givenUp: 0 };
  }

  get carried(): DeliveryCarried {
    return this.sums;
  }

  /** There may be new events. */
  wake(): void {
    this.woken = true;
  }

  /** A person requested an immediate attempt. */
  hurry(): void {
    this.hurried = true;
  }

  /** Signals from here on request another look. */
  looking(): void {
    this.woken = false;
    this.hurried = false;
  }

  worked({ state, seconds, delivered, givenUp }: Delivered): void {
    this.last = { state, seconds };
    this.sums = { delivered: this.sums.delivered + delivered, givenUp: this.sums.givenUp + givenUp };
  }

  /** Whether there is something to do immediately. New events do not shorten the pause after a failure. */
  get busy(): boolean {
    return this.last.state === 'more' || this.hurried || (this.woken && this.last.state === 'empty');
  }

  /** Whether it continues by itself after the pause. */
  get waiting(): boolean {
    return this.last.state === 'waiting';
  }

  /** Whether it may end immediately. */
  get over(): boolean {
    return (this.last.state === 'paused' || this.last.state === 'gone') && !this.hurried;
  }

  /** Seconds to wait for a signal. */
  get pause(): number {
    return this.waiting ? this.last.seconds : idle;
  }

  get status(): Delivered['state'] {
    return this.last.state;
  }

  describe(): string {
    const { delivered, givenUp } = this.sums;
    const next = this.waiting ? ` Its target failed; tried again in ${this.last.seconds} s.` : '';
    return `${delivered} events delivered, ${givenUp} given up.${next}`;
  }
}
