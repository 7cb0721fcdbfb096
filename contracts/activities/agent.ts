/** What an agent's presence does to the world. Imports nothing, so that workflow code may use it. */

export interface AgentRef {
  tenant: string;
  id: string;
}

/** An agent as its process finds it. */
export interface PresenceStart {
  health: 'none' | 'healthy' | 'unhealthy' | 'offline';
  /** Revision of the row. */
  rev: number;
  /** Forgotten after a long silence; others stay, however long they are silent. */
  removable: boolean;
  /** Silence after which a heartbeat is missed, in ms. */
  timeoutMs: number;
}

/** What the process knows of its agent's health. */
export interface PresenceSnapshot {
  rev: number;
  health: 'none' | 'healthy' | 'unhealthy' | 'offline';
}

/** Each may run twice, late, or be killed half-way, and leaves the same behind. */
export interface AgentActivities {
  /** @returns null when there is no such agent (any more) */
  findPresence(ref: AgentRef): Promise<PresenceStart | null>;
  /**
   * Runs until it is silent for too long: completed by nobody, kept alive by heartbeats that the api sends under its id.
   * Fails with a heartbeat timeout.
   */
  presence(ref: AgentRef): Promise<void>;
  /** Writes the health, its history and its event. @returns the row's revision afterwards; null when the agent is gone */
  writeHealth(ref: AgentRef, snapshot: PresenceSnapshot): Promise<number | null>;
  /** Hands the tasks that it has held since before `since` (ms since the epoch) to others. @returns how many */
  freeLeases(ref: AgentRef, since: number): Promise<number>;
  /** Forgets an agent that is still offline. @returns whether it was */
  forgetAgent(ref: AgentRef): Promise<boolean>;
}
