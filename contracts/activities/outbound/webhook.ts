/** Activities of event delivery. Imports nothing, so that workflow code may use it. */

export interface SubscriptionRef {
  tenant: string;
  id: string;
}

export interface Delivered {
  /**
   * `empty`: all events delivered; `more`: call again; `waiting`: the target failed, retry in `seconds`; `paused`: a
   * person must resume it; `gone`: it was removed.
   */
  state: 'empty' | 'more' | 'waiting' | 'paused' | 'gone';
  seconds: number;
  delivered: number;
  /** Became dead letters. */
  givenUp: number;
}

/** May run twice, late, or be killed half-way: an event is then delivered again under the same id. */
export interface WebhookActivities {
  /** Delivers pending events of a subscription in order, for some seconds. */
  deliverEvents(ref: SubscriptionRef): Promise<Delivered>;
}
