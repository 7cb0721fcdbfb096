/** Activities of an agent's presence. Imports nothing, so that workflow code may use it. */

export interface AgentRef {
  tenant: string;
  id: string;
}

/** An agent when its process starts. */
export interface PresenceStart {
  health: 'none' | 'healthy' | 'unhealthy' | 'offline';
  /** Revision of the row. */
  rev: number;
  /** Removed after a long silence; other agents are kept. */
  removable: boolean;
  /** Silence after which a heartbeat is missed, in ms. */
  timeoutMs: number;
}

/** The process's view of its agent's health. */
export interface PresenceSnapshot {
  rev: number;
  health: 'none' | 'healthy' | 'unhealthy' | 'offline';
}

/** Each activity is idempotent: it may run twice, late, or be killed half-way. */
export interface AgentActivities {
  /** @returns null when the agent does not exist (any more) */
  findPresence(ref: AgentRef): Promise<PresenceStart | null>;
  /** Runs until the heartbeat timeout: nothing completes it; the api sends heartbeats under its id. */
  presence(ref: AgentRef): Promise<void>;
  /**
   * Writes the health, its history and its event.
   * @returns the new revision of the row; null when the agent is gone
   */
  writeHealth(ref: AgentRef, snapshot: PresenceSnapshot): Promise<number | null>;
  /**
   * Frees the tasks that the agent has held since before `since` (ms since the epoch).
   * @returns how many
   */
  freeLeases(ref: AgentRef, since: number): Promise<number>;
  /**
   * Removes an agent that is still offline.
   * @returns whether it was
   */
  forgetAgent(ref: AgentRef): Promise<boolean>;
}
