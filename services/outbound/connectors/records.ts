import type { Database, Row } from '../../../adapters/postgres/database.ts';
import type { ConnectorEnd, ConnectorError, ConnectorRef } from '../../../contracts/activities/outbound/connector.ts';
import type { Provider } from '../../../contracts/outbound/connectors.ts';
import type { Columns } from '../../../prisma/rows.ts';

export interface CallRow extends Row, Columns<'connector_calls', 'operation' | 'request_hash' | 'dry_run' | 'attempts' | 'created_at'> {
  status: 'started' | 'completed' | 'failed' | 'ambiguous';
  response: Record<string, unknown> | null;
  error: ConnectorError | null;
}

export interface NewCall {
  tenant: string;
  provider: Provider;
  callKey: string;
  operation: string;
  requestHash: string;
  /** The answer of a dry run; nothing is sent. */
  dryRun: Record<string, unknown> | null;
}

/** The existing call with this key, or a new one. */
export async function openCall(
  query: Database['query'],
  { tenant, provider, callKey, operation, requestHash, dryRun }: NewCall,
): Promise<CallRow> {
  const [fresh] = await query<CallRow>(
    `insert into connector_calls (tenant_id, provider, call_key, operation, request_hash, status, dry_run, response)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning *`,
    [
      tenant,
      provider,
      callKey,
      operation,
      requestHash,
      dryRun ? 'completed' : 'started',
      dryRun !== null,
      dryRun ? JSON.stringify(dryRun) : null,
    ],
  );
  return fresh ?? (await callOf(query, tenant, provider, callKey))!;
}

export async function callOf(query: Database['query'], tenant: string, provider: string, callKey: string): Promise<CallRow | null> {
  const [row] = await query<CallRow>('select * from connector_calls where tenant_id = $1 and provider = $2 and call_key = $3', [
    tenant,
    provider,
    callKey,
  ]);
  return row ?? null;
}

/** Reserves an attempt number. Only one process can. @returns whether it was free */
export async function takeAttempt(
  query: Database['query'],
  { tenant, provider, callKey }: ConnectorRef,
  attempt: number,
): Promise<boolean> {
  const rows = await query(
    `update connector_calls set attempts = $4, updated_at = now()
     where tenant_id = $1 and provider = $2 and call_key = $3 and attempts < $4 and status = 'started' returning 1`,
    [tenant, provider, callKey, attempt],
  );
  return rows.length > 0;
}

/** Does not change a call that has already ended. */
export async function endCall(query: Database['query'], { tenant, provider, callKey }: ConnectorRef, end: ConnectorEnd): Promise<void> {
  await query(
    `update connector_calls set status = $4, response = $5, error = $6, updated_at = now()
     where tenant_id = $1 and provider = $2 and call_key = $3 and status = 'started'`,
    [
      tenant,
      provider,
      callKey,
      end.status,
      end.status === 'completed' ? JSON.stringify(end.response) : null,
      end.status === 'completed' ? null : JSON.stringify(end.error),
    ],
  );
}
