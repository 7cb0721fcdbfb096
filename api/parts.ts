import type { Logger } from 'pino';
import type { Caller } from '../contracts/caller.ts';
import type { Config } from '../platform/config.ts';
import type { Notices } from '../adapters/postgres/notices.ts';
import type { Services } from '../services/index.ts';
import type { Pipeline } from '../tools/catalogue/pipeline.ts';
import type { Fixtures } from './mcp/fixtures.ts';
import type { SessionStore } from './mcp/sessions.ts';

export type ServerConfig = Pick<
  Config,
  | 'A2A_ENABLED'
  | 'A2A_CARD'
  | 'MCP_SERVER_ENABLED'
  | 'MCP_SERVER_HOST'
  | 'MCP_SSE_ENABLED'
  | 'MCP_ALLOWED_HOSTS'
  | 'MCP_ALLOWED_ORIGINS'
  | 'PUBLIC_URL'
  | 'AUTH_MODE'
  | 'OIDC_ISSUER'
  | 'OIDC_RESOURCE_URL'
  | 'OIDC_CLI_CLIENT_ID'
  | 'OIDC_SIGN_IN_SCOPES'
  | 'OIDC_SCOPES_SUPPORTED'
  | 'MCP_PROFILE'
  | 'MCP_NAME_STYLE'
  | 'MCP_DOT_CLIENTS'
  | 'MCP_HYPHEN_CLIENTS'
  | 'MCP_UNDERSCORE_CLIENTS'
  | 'MCP_OUTPUT_SCHEMAS'
  | 'MCP_LOG_RESPONSES'
  | 'BODY_LIMIT_BYTES'
  | 'EVENT_STREAMS_PER_KEY'
  | 'DEPRECATION_HEADER_FORMAT'
  | 'TEMPORAL_UI_URL'
  | 'TEMPORAL_NAMESPACE'
  | 'LLM_PROVIDER'
  | 'METRICS_TOKEN'
>;

/** State of one dependency of this process. */
export interface PartHealth {
  up: boolean;
  /** The platform works without it, with restrictions. */
  optional?: boolean;
  /** Without it only reads are answered. */
  writes?: boolean;
  /** For people; never addresses, credentials or stack traces. */
  detail?: string;
}

/** By name: `postgres`, `temporal`, `embeddings`, `neo4j_sync`, and `qdrant` or `neo4j` where configured. */
export type Health = Record<string, PartHealth>;

/** Everything the HTTP front ends need. Built by main.ts, and manually in tests. */
export interface ServerParts {
  pipeline: Pick<Pipeline, 'call' | 'list' | 'catalogue' | 'metrics'>;
  config: ServerConfig;
  /**
   * The caller of a key or an access token, or null.
   * @throws AppError UNAUTHORIZED with what is wrong with a token, FORBIDDEN when its tenant is not served,
   * SERVICE_UNAVAILABLE when it cannot be checked now
   */
  authenticate(secret: string): Promise<Caller | null>;
  health(): Promise<Health>;
  /**
   * For front ends that use more than tools (A2A).
   * @throws AppError SERVICE_UNAVAILABLE before the stores are reached
   */
  services?: () => Services;
  /** Notices from other processes. Absent: clients are not notified of changes of their tool list. */
  notices?: () => Notices | undefined;
  log: Logger;
  version: string;
  /** The built web console. Absent: `/` is the page about this server. */
  consoleFolder?: string;
  /** Keeps MCP sessions across restarts. Absent: they live as long as the process. */
  sessions?: SessionStore;
  /** The current time, for the end of deprecations; tests set it. Default: the system clock. */
  now?: () => Date;
  /** The MCP conformance suite's tools, resources and prompts. */
  fixtures?: Fixtures;
  /** Milliseconds between `ping` events on /mcp/sse. Default 30,000. */
  pingMs?: number;
  /** Milliseconds after which a pending JSON answer becomes a stream. Default 10,000. */
  patienceMs?: number;
  /** Milliseconds within which changes of a tool list are told as one. Default 150. */
  togetherMs?: number;
}
