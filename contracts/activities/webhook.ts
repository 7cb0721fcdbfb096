/** What the delivery of a subscription does to the world. Imports nothing, so that workflow code may use it. */

export interface SubscriptionRef {
  tenant: string;
  id: string;
}

export interface Delivered {
  /**
   * `empty`: it has been told all; `more`: there is more; `waiting`: its target failed, and is tried again in `seconds`;
   * `paused`: a person resumes it; `gone`: it was removed.
   */
  state: 'empty' | 'more' | 'waiting' | 'paused' | 'gone';
  seconds: number;
  delivered: number;
  /** Became dead letters. */
  givenUp: number;
}

/** May run twice, late, or be killed half-way: an event is then delivered again under the same id. */
export interface WebhookActivities {
  /** Delivers what a subscription has not been told, in order, for some seconds. */
  deliverEvents(ref: SubscriptionRef): Promise<Delivered>;
}
