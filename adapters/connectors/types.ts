import type { Provider } from '../../contracts/outbound/connectors.ts';

export interface ProviderCall {
  /** The tenant's credential for the provider. */
  token: string;
  /** Names the call: equal for its repeats. */
  callKey: string;
  /** As the provider's operation takes it. */
  request: Record<string, unknown>;
  /** When it was first sent, at the earliest. */
  since: Date;
  signal?: AbortSignal;
}

/** Ids and times as the provider gives them. */
export type ProviderAnswer = Record<string, string | null>;

/** One operation of one provider. */
export interface Connector {
  /** One request, never repeated. @throws AppError with `details.outcome` (contracts/outbound/connectors.ts) */
  send(call: ProviderCall): Promise<ProviderAnswer>;
  /**
   * What became of a call whose answer was lost. `absent`: it did not arrive, or sending it again does no harm;
   * `unknown`: the provider cannot or may not tell.
   * @throws AppError with `details.outcome` not_sent when it cannot be asked just now
   */
  find(call: ProviderCall): Promise<ProviderAnswer | 'absent' | 'unknown'>;
}

export type ConnectorPorts = Record<Provider, Connector>;
