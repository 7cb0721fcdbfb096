import type { PresenceSnapshot, PresenceStart } from '../../../contracts/activities/agent.ts';

/**
 * Whether an agent is there, as plain state: one silence is a doubt, a second one in a row is its end. An outage of
 * the platform itself looks like one silence of everybody, and costs nobody anything.
 */
export class AgentState {
  private health: PresenceSnapshot['health'];
  private rev: number;
  private gone = false;

  constructor({ health, rev }: Pick<PresenceStart, 'health' | 'rev'>) {
    this.health = health;
    this.rev = rev;
  }

  snapshot(): PresenceSnapshot {
    return { rev: this.rev, health: this.health };
  }

  /** Its silence is noticed. */
  get watched(): boolean {
    return this.health === 'healthy' || this.health === 'unhealthy';
  }

  get offline(): boolean {
    return this.health === 'offline';
  }

  get over(): boolean {
    return this.gone;
  }

  /** A sign of life. */
  alive(): void {
    this.become('healthy');
  }

  /** No sign of life for as long as it may take. @returns whether this was the second one */
  silent(): boolean {
    if (!this.watched) return false;
    const second = this.health === 'unhealthy';
    this.become(second ? 'offline' : 'unhealthy');
    return second;
  }

  /** Unregistered. */
  left(): void {
    this.gone = true;
  }

  /** The row was found ahead of us: go beyond it. */
  overtake(rev: number): void {
    this.rev = Math.max(this.rev, rev) + 1;
  }

  private become(health: PresenceSnapshot['health']): void {
    if (health === this.health) return;
    this.health = health;
    this.rev += 1;
  }
}
