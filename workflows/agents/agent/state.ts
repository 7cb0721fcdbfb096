import type { PresenceSnapshot, PresenceStart } from '../../../contracts/activities/agents/agent.ts';

/**
 * Whether an agent is online, as plain state: one missed timeout makes it unhealthy, a second one in a row offline.
 * An outage of the platform looks like one missed timeout of every agent, so it frees no leases.
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

  /** Missed timeouts are detected. */
  get watched(): boolean {
    return this.health === 'healthy' || this.health === 'unhealthy';
  }

  get offline(): boolean {
    return this.health === 'offline';
  }

  get over(): boolean {
    return this.gone;
  }

  /** A heartbeat arrived. */
  alive(): void {
    this.become('healthy');
  }

  /**
   * A heartbeat timeout.
   * @returns whether this was the second one
   */
  silent(): boolean {
    if (!this.watched) return false;
    const second = this.health === 'unhealthy';
    this.become(second ? 'offline' : 'unhealthy');
    return second;
  }

  /** The agent was unregistered. */
  left(): void {
    this.gone = true;
  }

  /** The row has a higher revision: continue above it. */
  overtake(rev: number): void {
    this.rev = Math.max(this.rev, rev) + 1;
  }

  private become(health: PresenceSnapshot['health']): void {
    if (health === this.health) return;
    this.health = health;
    this.rev += 1;
  }
}
