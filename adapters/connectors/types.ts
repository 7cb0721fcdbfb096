import type { Provider } from '../../contracts/outbound/connectors.ts';

export interface ProviderCall {
  /** The tenant's credential for the provider. */
  token: string;
  /** Identifies the call: the same for its repeats. */
  callKey: string;
  /** In the form of the provider's operation. */
  request: Record<string, unknown>;
  /** Lower bound of the first attempt's time. */
  since: Date;
  signal?: AbortSignal;
}

/** Ids and times from the provider. */
export type ProviderAnswer = Record<string, string | null>;

/** One operation of one provider. */
export interface Connector {
  /**
   * One request, without retries.
   * @throws AppError with `details.outcome` (contracts/outbound/connectors.ts)
   */
  send(call: ProviderCall): Promise<ProviderAnswer>;
  /**
   * Outcome of a call whose answer was lost. `absent`: it did not arrive, or a repeat is harmless; `unknown`: the
   * provider cannot or may not tell.
   * @throws AppError with `details.outcome` not_sent when it cannot be asked now
   */
  find(call: ProviderCall): Promise<ProviderAnswer | 'absent' | 'unknown'>;
}

export type ConnectorPorts = Record<Provider, Connector>;
