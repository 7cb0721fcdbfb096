/**
 * The only reader of process.env. Everything else receives a `Config`.
 * docs/configuration.md is generated from this table.
 */
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { roles } from '../contracts/caller.ts';
import { graphitiTools } from '../contracts/graph/episodes.ts';
import { queues } from '../contracts/temporal.ts';
import { nameStyles } from '../contracts/tool-names.ts';
import { textIfThere } from './read-file.ts';

const bool = (fallback: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true' || value === '1');
const int = (fallback: number, min = 0, max = 2 ** 31) => z.coerce.number().int().min(min).max(max).default(fallback);
const keptDays = (fallback: number) => int(fallback, 0, 36_500);
const price = z.coerce.number().min(0).optional();
const ratio = (fallback: number) => z.coerce.number().min(0).max(1).default(fallback);
const listOf = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    );
const list = listOf('');
const allQueues: string[] = Object.values(queues);
/** `a=b,c=d`, or a JSON object of strings. */
const pairs = z
  .string()
  .default('')
  .transform((value, context) => {
    try {
      const given: unknown = value.trim().startsWith('{')
        ? JSON.parse(value)
        : Object.fromEntries(
            value
              .split(',')
              .filter((pair) => pair.trim() !== '')
              .map((pair) => pair.split('=').map((part) => part.trim()))
              .map(([name = '', text = '', ...more]) => [name, more.length === 0 ? text : '']),
          );
      return z.record(z.string().min(1), z.string().min(1)).parse(given);
    } catch {
      context.addIssue({ code: 'custom', message: 'name=value,name=value, or a JSON object of texts' });
      return z.NEVER;
    }
  });

export const environment = z.object({
  SIGNALBOX_DATA_DIR: z.string().default('.signalbox').describe('Folder of the embedded stack: databases, blobs, logs, runtime.json'),
  SIGNALBOX_CACHE_DIR: z.string().optional().describe('Folder that keeps downloaded parts between checkouts'),
  SIGNALBOX_PARTS_URL: z
    .string()
    .optional()
    .describe('Folder or http address with the parts of the stack, in the layout of `npm run parts`; tried first'),
  XDG_CACHE_HOME: z.string().optional().describe("The user's cache folder; used when SIGNALBOX_CACHE_DIR is not set"),
  XDG_CONFIG_HOME: z
    .string()
    .optional()
    .describe("The user's folder for configuration, with the tokens of `signalbox login`; default: ~/.config"),
  SIGNALBOX_API_KEY: z
    .string()
    .optional()
    .describe(
      'Key used by the command line and the stdio bridge; default: the login of `signalbox login`, else the local key in runtime.json',
    ),
  SIGNALBOX_URL: z.string().optional().describe('Base URL used by the command line and the stdio bridge; default: the one in runtime.json'),
  MCP_API_KEY: z.string().optional().describe('Same as SIGNALBOX_API_KEY'),
  MCP_SERVER_URL: z.string().optional().describe('Same as SIGNALBOX_URL'),
  DEVFLOW_API_URL: z.string().optional().describe('Same as SIGNALBOX_URL'),
  MCP_SERVER_ENABLED: bool(true).describe('Serve MCP'),
  MCP_SERVER_HOST: z.string().default('127.0.0.1').describe('Address the api listens on; 0.0.0.0 serves other machines'),
  MCP_SERVER_PORT: int(8080, 0, 65535).describe('Port of the api; if it is taken, another one is used'),
  SHUTDOWN_DELAY_SECONDS: int(0, 0, 300).describe(
    'How long the api still serves after SIGTERM while /ready answers 503, so that a load balancer finds out; 0 behind none',
  ),
  MCP_SSE_ENABLED: bool(true).describe('Serve the legacy SSE transport at /mcp/sse'),
  MCP_STDIO_ENABLED: bool(true).describe('Allow the stdio bridge'),
  MCP_ALLOWED_HOSTS: list.describe('Further Host names accepted beside loopback, comma separated'),
  MCP_ALLOWED_ORIGINS: list.describe('Further browser origins accepted beside loopback, comma separated'),
  AUTH_MODE: z.enum(['apikey', 'local']).default('apikey').describe('local: no key needed, loopback only, tenant "default"'),
  MCP_RATE_LIMIT_RPM: int(60, 1).describe('Calls per minute and key, unless the key has its own limit (profile devflow: 100)'),
  MCP_RATE_LIMIT_BURST: int(10, 0).describe('Calls above the limit tolerated in one minute (profile devflow: 20)'),
  MCP_WRAP_GRAPHITI: bool(true).describe(
    "Support the names of Graphiti's tools (add_episode, search_nodes, …) beside our own names of these tools",
  ),
  MCP_GRAPHITI_TOOLS: z
    .string()
    .default(graphitiTools.join(','))
    .transform((value) =>
      value
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    )
    .refine((names) => names.every((name) => graphitiTools.includes(name)), `some of ${graphitiTools.join(', ')}`)
    .describe('Which of these names, comma separated'),
  MCP_PROFILE: z.string().default('core').describe('Tools listed by default'),
  MCP_NAME_STYLE: z
    .enum(['auto', ...nameStyles])
    .default('auto')
    .describe('Spelling of tool names for MCP clients; auto: hyphens, unless the three lists below say otherwise'),
  MCP_DOT_CLIENTS: listOf('mcp-inspector,inspector-client').describe(
    'Clients that accept dots, by the name in their handshake, comma separated',
  ),
  MCP_UNDERSCORE_CLIENTS: listOf('codex-mcp-client').describe('Clients that replace other characters by underscores, comma separated'),
  MCP_HYPHEN_CLIENTS: list.describe('Clients that get hyphens although another list names them, comma separated'),
  MCP_OUTPUT_SCHEMAS: z
    .enum(['unified', 'all', 'none'])
    .default('unified')
    .describe('Lists that contain outputSchema: those of the profile unified, all, or none'),
  MCP_LOG_REQUESTS: bool(true).describe('Log each tool call (name, caller, outcome; never its arguments)'),
  MCP_LOG_RESPONSES: bool(false).describe('Log answers too, at debug level'),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('Token that a scraper sends as "Authorization: Bearer …" to get figures by tool at /metrics; any key works as well'),
  DEPRECATION_HEADER_FORMAT: z
    .enum(['http-date', 'rfc9745'])
    .default('http-date')
    .describe('Date format of the header Deprecation: Sat, 01 Jan 2028 00:00:00 GMT, or @1830297600 (RFC 9745)'),
  BODY_LIMIT_BYTES: int(8 * 1024 * 1024, 1024).describe('Largest request body'),
  INGEST_ROOTS: list.describe('Folders from which file_path may be read, comma separated; default: the folder signalbox was started in'),
  ALLOW_PRIVATE_NETWORK: bool(false).describe('Development: outgoing requests may reach loopback and private addresses'),
  PRIVATE_TARGETS: z
    .string()
    .default('')
    .transform((value, context) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean)
        .map((item) => {
          const [, address = '', from = '', to = from] = /^\[?([0-9a-fA-F.:]+?)\]?:(\d{1,5})(?:-(\d{1,5}))?$/.exec(item) ?? [];
          if (isIP(address) === 0 || Number(to) < Number(from))
            context.addIssue({ code: 'custom', message: `${item} is not address:port or address:port-port` });
          return { address, from: Number(from), to: Number(to) };
        }),
    )
    .describe(
      'Addresses inside your network that requests may reach, e.g. 10.0.0.5:8443,127.0.0.1:8390-8399; default under `npm start`: the latter',
    ),
  DATABASE_URL: z.string().optional().describe('Postgres with pgvector, as the application role; default: the embedded one'),
  DATABASE_OWNER_URL: z.string().optional().describe('The same database as the owner, for migrations; default: DATABASE_URL'),
  DATABASE_POOL_SIZE: int(16, 2, 200).describe('Connections per process'),
  BLOB_STORE_URL: z
    .string()
    .default('folder')
    .describe('Where blobs are stored: folder (in the data folder), another folder as /path, or s3://bucket/prefix (docs/operations.md)'),
  BLOB_STORE_FORMER_URL: z
    .string()
    .optional()
    .describe('During a migration of the blobs: the place from which those are read that are not in BLOB_STORE_URL yet'),
  BLOB_SWEEP_GRACE_HOURS: int(24, 1, 8760).describe('Blobs that no row names are set aside at this age, and deleted as much later'),
  ARTICLES_KEEP_DAYS: keptDays(365).describe('Retention of stored articles that no brief cites and no knowledge base holds; 0: for ever'),
  RUN_LOGS_KEEP_DAYS: keptDays(365).describe('Retention of the log of a harvest run after its end; 0: for ever'),
  JOBS_KEEP_DAYS: keptDays(90).describe(
    'Retention of ended jobs that nothing refers to, with the items and decided dead letters of their runs; 0: for ever',
  ),
  FAILED_BYTES_KEEP_DAYS: keptDays(30).describe(
    'Retention of the bytes of failed items of a run, unless an open dead letter can retry them; 0: for ever',
  ),
  CONNECTOR_CALLS_KEEP_DAYS: keptDays(90).describe(
    'Retention of ended calls of connectors whose job is gone; until then a repeat of the call gets its answer; 0: for ever',
  ),
  REVIEWS_KEEP_DAYS: keptDays(365).describe(
    'Retention of questions about entities that were withdrawn, or whose decision cannot be undone any more; 0: for ever',
  ),
  MEMORIES_KEEP_DAYS: keptDays(30).describe('Retention of expired memories, which nobody finds any more; 0: for ever'),
  LEDGER_KEEP_DAYS: keptDays(400)
    .refine((days) => days === 0 || days >= 30, '0 (for ever), or at least 30 days')
    .describe('Retention of entries of the ledger; at least 30, or 0: for ever'),
  S3_ENDPOINT: z.string().url().optional().describe("Address of an S3-compatible store; default: Amazon's of the region"),
  S3_REGION: z.string().optional().describe('Region of the bucket; default: AWS_REGION, else us-east-1'),
  S3_PATH_STYLE: z
    .enum(['true', 'false'])
    .optional()
    .describe("The bucket's name in the path, not in the host name; default: true with S3_ENDPOINT or a dot in the name"),
  S3_ENCRYPTION: z
    .enum(['none', 'AES256', 'aws:kms', 'aws:kms:dsse'])
    .default('none')
    .describe("Server-side encryption asked for with each object; none: the bucket's default"),
  S3_KMS_KEY_ID: z.string().optional().describe("Key of aws:kms, as id, ARN or alias; default: the account's own for S3"),
  S3_CHECKSUMS: bool(true).describe('Let the store check and keep a SHA-256 of each object; false for stores that refuse it'),
  AWS_ACCESS_KEY_ID: z.string().optional().describe('Credentials of the blob store; default: the usual chain (docs/operations.md)'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('The secret of that key'),
  AWS_SESSION_TOKEN: z.string().optional().describe('The token of temporary credentials'),
  AWS_PROFILE: z.string().optional().describe('Section of the shared credentials file'),
  AWS_SHARED_CREDENTIALS_FILE: z.string().optional().describe('That file; default: ~/.aws/credentials'),
  AWS_REGION: z.string().optional().describe('Used when S3_REGION is not set'),
  AWS_ROLE_ARN: z.string().optional().describe('Role that a web identity assumes (IRSA)'),
  AWS_WEB_IDENTITY_TOKEN_FILE: z.string().optional().describe('File with the token of that identity'),
  AWS_ROLE_SESSION_NAME: z.string().optional().describe('Name of the session of that role; default: signalbox'),
  AWS_ENDPOINT_URL_STS: z.string().url().optional().describe("Address of the token service; default: Amazon's of the region"),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: z.string().optional().describe('Set by ECS: where a task gets its credentials'),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: z.string().optional().describe('Set by EKS Pod Identity: where a pod gets its credentials'),
  AWS_CONTAINER_AUTHORIZATION_TOKEN: z.string().optional().describe('Token for that address'),
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: z.string().optional().describe('File with that token'),
  AWS_EC2_METADATA_DISABLED: bool(false).describe("Do not ask the machine's endpoint for credentials"),
  AWS_EC2_METADATA_SERVICE_ENDPOINT: z.string().url().default('http://169.254.169.254').describe('That endpoint'),
  TEMPORAL_ADDRESS: z.string().optional().describe('Temporal frontend; default: the embedded dev server'),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('Temporal namespace'),
  TEMPORAL_TLS: z
    .enum(['true', 'false', '1', '0'])
    .optional()
    .transform((value) => (value === undefined ? undefined : value === 'true' || value === '1'))
    .describe('TLS to Temporal; default: on with an API key, a certificate or a server name, and for Temporal Cloud'),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: z
    .string()
    .optional()
    .describe("PEM file with the authority of the server's certificate; default: the system's"),
  TEMPORAL_TLS_SERVER_NAME: z.string().optional().describe("Name in the server's certificate, if it differs from the address"),
  TEMPORAL_TLS_CLIENT_CERT_PATH: z.string().optional().describe('PEM file with the client certificate (mTLS); a renewed file is picked up'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: z.string().optional().describe('PEM file with its private key'),
  TEMPORAL_API_KEY: z.string().optional().describe('API key of Temporal Cloud, or a token that your server accepts'),
  TEMPORAL_API_KEY_FILE: z.string().optional().describe('Instead: file with that key; a renewed file is picked up'),
  TEMPORAL_ENCRYPT_PAYLOADS: bool(false).describe(
    'Encrypt arguments, results, notes and failures in histories under SIGNALBOX_SECRET_KEY; for a Temporal that others run',
  ),
  TEMPORAL_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/)
    .optional()
    .describe('Name of the worker deployment: workers of each build run their own processes to the end. Default: not versioned'),
  TEMPORAL_WORKER_BUILD_ID: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/)
    .optional()
    .describe('Build of these workers in that deployment; default: version and hash of the workflow code'),
  TEMPORAL_DEPLOYMENT_PROMOTE: bool(true).describe(
    'A new build becomes the current version as soon as its workers poll; false: by `signalbox temporal promote` or a controller of yours',
  ),
  TEMPORAL_UI_URL: z.string().optional().describe('Base URL of links to processes'),
  TEMPORAL_PORT: int(7233, 0, 65535).describe('Port of the embedded Temporal; if it is taken, another one is used'),
  TEMPORAL_UI_PORT: int(8233, 0, 65535).describe('Port of its UI; if it is taken, another one is used'),
  POSTGRES_PORT: int(54329, 0, 65535).describe('Port of the embedded Postgres; if it is taken, another one is used'),
  WORKER_QUEUES: list
    .refine(
      (names) => names.every((name) => allQueues.includes(name.replace(/^!/, ''))),
      `some of ${allQueues.join(', ')}, each with or without ! before it`,
    )
    .transform((names) => {
      const named = names.filter((name) => !name.startsWith('!'));
      return (named.length > 0 ? named : allQueues).filter((name) => !names.includes(`!${name}`));
    })
    .refine((names) => names.length > 0, 'no queue is left')
    .describe('Queues that a worker process serves, comma separated; !name: all but this one. Default: all'),
  EMBEDDING_MODEL_DIR: z
    .string()
    .optional()
    .describe('Folder with model.onnx and tokenizer.json; default: downloaded at the start; "none" switches vectors off'),
  EMBEDDING_FORMER_MODEL_DIR: z
    .string()
    .optional()
    .describe(
      'Folder of a further model: answers from its vectors until the model in use has replaced them; if it is the shipped one, it classifies statements and finds tools (docs/languages.md)',
    ),
  EMBEDDING_POOLING: z
    .enum(['cls', 'mean', 'last'])
    .optional()
    .describe("Which of a model's vectors per token count; default: as 1_Pooling/config.json in its folder says, else cls"),
  EMBEDDING_QUERY_PREFIX: z
    .string()
    .optional()
    .describe('Put before every query, e.g. "query: "; default: as config_sentence_transformers.json in the folder says, else nothing'),
  EMBEDDING_PASSAGE_PREFIX: z.string().optional().describe('The same before every text that is searched, e.g. "passage: "'),
  EMBEDDING_DIMENSIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(16_000)
    .optional()
    .describe("Length of the model's vectors; needed with EMBEDDING_URL; default: as config.json in the model's folder says"),
  EMBEDDING_URL: z
    .string()
    .optional()
    .describe(
      'Server of an embedding model, instead of the one in the folder: the whole address, e.g. http://localhost:11434/v1/embeddings; may be private',
    ),
  EMBEDDING_API_KEY: z.string().optional().describe("Key of that server; default for OpenAI's own address: OPENAI_API_KEY"),
  EMBEDDING_MODEL: z.string().optional().describe("That server's name of the model"),
  EMBEDDING_DIALECT: z
    .enum(['openai', 'cohere'])
    .default('openai')
    .describe('API of that server: openai (POST /v1/embeddings), cohere (POST /v2/embed)'),
  EMBEDDING_SHORTEN: bool(false).describe('Ask that server for vectors of EMBEDDING_DIMENSIONS, if the model can shorten its own'),
  EMBEDDING_TIMEOUT_SECONDS: int(30, 1, 600).describe('Timeout of a request to that server, including retries'),
  EMBEDDING_MAX_RETRIES: int(3, 0, 10).describe('Retries after 429, 5xx and lost connections'),
  EMBEDDING_BATCH: int(32, 1, 2048).describe('Texts per request to that server; Cohere takes at most 96'),
  EMBEDDING_MAX_CHARACTERS: int(8000, 100, 1_000_000).describe('Characters of a text that are sent to that server'),
  EMBEDDING_CONCURRENCY: int(4, 1, 256).describe(
    'Requests to that server at the same time, per process: as many for queries as for other texts',
  ),
  EMBEDDING_PROCESSES: int(2, 1, 64).describe('Maximum processes that embed at once; the second starts under load (150 MB each)'),
  QDRANT_URL: z.string().optional().describe('Qdrant keeps a copy of the vectors and searches them; default: pgvector in Postgres'),
  QDRANT_API_KEY: z.string().optional().describe('Key of that Qdrant'),
  QDRANT_COLLECTION: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .default('signalbox')
    .describe('Prefix of its collection names; must differ between installations that share a Qdrant'),
  NEO4J_URI: z
    .string()
    .optional()
    .describe('Neo4j keeps a copy of the graph and traverses it, e.g. bolt://localhost:7687; default: Postgres'),
  NEO4J_USER: z.string().default('neo4j').describe('User of that Neo4j'),
  NEO4J_PASSWORD: z.string().optional().describe('Password of that user'),
  NEO4J_DATABASE: z.string().default('neo4j').describe('Database of that Neo4j'),
  ENTITY_FUZZY_THRESHOLD: ratio(0.85).describe('Minimum similarity at which a misspelt name matches an entity'),
  ENTITY_EMBEDDING_THRESHOLD: ratio(0.8).describe('Minimum cosine similarity at which a name matches an entity by meaning'),
  ENTITY_AMBIGUITY_MARGIN: ratio(0.1).describe('A name is ambiguous if the second-best match is this close'),
  ENTITY_AUTO_MERGE: ratio(0.9).describe('Match probability from which a mention is assigned to a known entity without asking'),
  ENTITY_REVIEW: ratio(0.6).describe('Match probability from which a person is asked'),
  RERANKER_ENABLED: bool(true).describe('Use the configured reranker in mode reranked'),
  RERANKER_URL: z.string().optional().describe('Rerank endpoint of a Cohere- or OpenAI-style server, e.g. http://localhost:8000/v1/rerank'),
  RERANKER_API_KEY: z.string().optional().describe('Key of that server'),
  RERANKER_MODEL: z.string().optional().describe('Model name sent to that server'),
  RERANKER_MODEL_DIR: z.string().optional().describe('Instead: folder with model.onnx and tokenizer.json of a cross-encoder'),
  LLM_PROVIDER: z
    .enum(['none', 'anthropic', 'openai-compatible', 'google'])
    .default('none')
    .describe('Language model; none: everything works offline, by extraction (docs/models.md)'),
  LLM_MODEL: z.string().optional().describe("The provider's name of the model"),
  LLM_API_KEY: z.string().optional().describe('Key of that provider; a local server may need none'),
  LLM_BASE_URL: z
    .string()
    .url()
    .optional()
    .describe("Base URL, e.g. http://localhost:11434/v1; may be a private address; default: the provider's address"),
  LLM_TIMEOUT_SECONDS: int(120, 1, 3600).describe('Timeout of one question, including retries'),
  LLM_MAX_RETRIES: int(2, 0, 10).describe('Retries after 429, 5xx and lost connections'),
  LLM_CONCURRENCY: int(4, 1, 256).describe('Questions at the same time, per process'),
  LLM_STRUCTURED_OUTPUTS: bool(true).describe(
    'Whether an OpenAI-compatible server supports JSON schemas; otherwise the schema is part of the prompt',
  ),
  LLM_EXTRACTION: bool(true).describe('Let the language model find the statements, names and dated facts in documents; false: rules do'),
  LLM_INPUT_USD_PER_MTOK: price.describe('Price of a million input tokens in USD; without prices no costs are counted'),
  LLM_OUTPUT_USD_PER_MTOK: price.describe('Price of a million output tokens in USD'),
  LLM_BUDGET_TOKENS_PER_DAY: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Tokens per tenant and day (UTC), unless the tenant has its own budget; default: no limit'),
  LLM_BUDGET_USD_PER_DAY: price.describe('The same in USD; needs the prices'),
  ANTHROPIC_API_KEY: z.string().optional().describe("Used for Anthropic's own address when LLM_API_KEY is not set"),
  OPENAI_API_KEY: z.string().optional().describe("Used for OpenAI's own address when LLM_API_KEY is not set"),
  GEMINI_API_KEY: z.string().optional().describe("Used for Google's own address when LLM_API_KEY is not set"),
  WORKFLOW_CACHE_SIZE: int(1000, 10, 100_000).describe(
    'Processes of tasks and calls that a worker keeps in memory between their steps; of each other queue a fifth. Others are replayed',
  ),
  WORKFLOW_STACK_TRACES: bool(false).describe(
    "Records where each process waits, for the stack trace in Temporal's UI; costs a third of the time that a worker takes for its steps",
  ),
  WORKER_PORT: int(0, 0, 65535).describe('Port of a worker for /health, /ready and /metrics; 0: none'),
  WORKER_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address of that port; 0.0.0.0 serves other machines, and then /metrics needs METRICS_TOKEN'),
  METRICS_TENANTS: int(0, 0, 10_000).describe(
    'Tenants that metrics of reached limits name: the first so many that reach one, others are summed up; 0: no tenant is named',
  ),
  MCP_CACHE_ENABLED: bool(true).describe('Cache answers of searches until the documents they cover change'),
  MCP_CACHE_TTL_SECONDS: int(300, 1).describe('Longest time that such an answer is cached'),
  MCP_CACHE_MAX_SIZE_MB: int(100, 1).describe('Memory for such answers, per process'),
  LEXICAL_INDEX_MAX_MB: int(512, 1).describe('Memory for word indexes, per process; indexes that do not fit are searched in Postgres'),
  PARSE_TIMEOUT_SECONDS: int(120, 1, 3600).describe('Timeout for parsing one file'),
  PARSE_MEMORY_MB: int(1024, 128).describe('Memory limit for parsing one file'),
  PARSE_MAX_PAGES: int(5000, 1).describe('Maximum pages, slides or sheets read from one file'),
  PARSE_MAX_UNPACKED_MB: int(512, 1).describe('Maximum unpacked size of a compressed file'),
  A2A_ENABLED: bool(true).describe('Serve A2A, monitor agents and delegate to them'),
  A2A_AGENT_ID: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
    .default('agentic-rag-001')
    .describe('Id of this platform among agents'),
  A2A_ENDPOINT_URL: z
    .string()
    .optional()
    .describe("Public address for other agents; default: the api's address under `npm start`, else http://localhost:8000"),
  A2A_CARD: z
    .enum(['both', '1.0'])
    .default('both')
    .describe('Agent card for clients that name no version: one for both 0.3 and 1.0, or only that of 1.0, for strict clients'),
  A2A_HEARTBEAT_INTERVAL_SECONDS: int(30, 1, 3600).describe('Heartbeat interval of agents'),
  A2A_HEARTBEAT_TIMEOUT_SECONDS: int(60, 1, 86_400).describe(
    'Heartbeat timeout: after it an agent is unhealthy, after twice that time offline',
  ),
  A2A_TASK_DEFAULT_TIMEOUT_SECONDS: int(300, 1, 3600).describe('Default timeout of a delegated task'),
  A2A_TASK_MAX_RETRIES: int(3, 0, 20).describe('Retries of sending a task after network errors, 429 and 5xx'),
  A2A_SESSION_TTL_SECONDS: int(21_600, 1).describe('A session of peers is closed after this time without a message'),
  A2A_MAX_SESSIONS_PER_TENANT: int(100, 1).describe('Maximum open sessions per tenant; the session idle longest is closed for a new one'),
  EVENT_STREAMS_PER_KEY: int(20, 1, 10_000).describe('Maximum open event streams (SSE) per key, over all apis'),
  WEBHOOK_GIVE_UP_SECONDS: int(86_400, 1, 518_400).describe(
    'How long delivery of an event is retried before it becomes a dead letter; less than the seven days that events are kept',
  ),
  SIGNALBOX_SECRET_KEY: z
    .string()
    .min(16)
    .optional()
    .describe(
      'Seals stored credentials and Temporal payloads, and signs the ledger; the same for all processes. Default: a file in the data folder',
    ),
  SIGNALBOX_SECRET_KEY_PREVIOUS: list.describe(
    'Further keys with which old seals are still read, comma separated: the former key after a change, or the coming one before it',
  ),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Address at which people reach this server, for links in messages, e.g. https://signalbox.example.com; its pages may then send forms. Without it, alerts carry no links for approvals',
    ),
  APPROVAL_LINK_HOURS: int(24, 1, 24).describe('How long a link for an approval works; never longer than the call waits'),
  OIDC_ISSUER: z
    .string()
    .url()
    .optional()
    .describe('Issuer whose OAuth 2.1 access tokens are accepted beside keys; its metadata and keys are found by discovery'),
  OIDC_AUDIENCE: list.describe('Accepted values of `aud` in a token, comma separated; default: OIDC_RESOURCE_URL, also with /mcp'),
  OIDC_RESOURCE_URL: z
    .string()
    .url()
    .optional()
    .describe('Public address of this platform, for the metadata that names the issuer; default: the address of the request'),
  OIDC_TENANT_CLAIM: z.string().min(1).default('tenant').describe('Claim with the tenant; may be a path such as org.id'),
  OIDC_TENANT: z.string().optional().describe('Tenant of tokens that name none; default: they are refused'),
  OIDC_CREATE_TENANTS: bool(false).describe('Create a tenant when a token names an unknown one, instead of refusing the token'),
  OIDC_ROLE_CLAIM: z
    .string()
    .min(1)
    .default('role')
    .describe('Claim with the role or several; of several the first of admin, pm, … counts'),
  OIDC_DEFAULT_ROLE: z.enum(roles).default('readonly').describe('Role of tokens that name none'),
  OIDC_KIND_CLAIM: z
    .string()
    .min(1)
    .default('principal_kind')
    .describe('Claim whose value "human" marks the caller as a person; others are agents'),
  OIDC_TEAM_CLAIM: z.string().min(1).default('team').describe('Claim with the stakeholder team'),
  OIDC_CAPABILITIES_CLAIM: z.string().min(1).default('capabilities').describe('Claim with declared capabilities'),
  OIDC_SCOPES: list.describe(
    "Scopes of tokens without any of this platform's scopes; default: no tool that needs a scope; *: what the role allows",
  ),
  OIDC_SCOPES_SUPPORTED: list.describe(
    'Scopes that MCP clients are told to ask for when they sign in, e.g. openid for an issuer that knows none of ours; default: those of all tools',
  ),
  OIDC_GROUPS_CLAIM: z.string().min(1).default('groups').describe("Claim with a person's groups; may be a path such as realm_access.roles"),
  OIDC_GROUP_ROLES: pairs.describe('Roles of groups, e.g. eng=operator,pms=pm, or a JSON object for names with = or ,'),
  OIDC_GROUP_TEAMS: pairs.describe('Stakeholder teams of groups, e.g. sales-emea=sales; the first that fits counts'),
  OIDC_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Application at the issuer with which people sign in to the console; default: with keys only'),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe('Its secret; without one it is a public client'),
  OIDC_SIGN_IN_NAME: z.string().min(1).max(60).optional().describe('Name on the button "Sign in with …"; default: the host of the issuer'),
  OIDC_SIGN_IN_SCOPES: list.describe(
    'Scopes that the console and the command line ask for; default: openid profile email, and offline_access where the issuer lists it',
  ),
  OIDC_RECHECK_SECONDS: z.coerce
    .number()
    .int()
    .min(10)
    .max(86_400)
    .default(300)
    .describe('How often the issuer is asked whether a person who uses the console still has access'),
  OIDC_CLI_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Public client for `signalbox login` (device flow); its access tokens are those of people. Default: login is off'),
  GRAPHITI_MCP_URL: z
    .string()
    .url()
    .optional()
    .describe("Graphiti's own MCP server, which then handles the names of its tools (add_memory, search_nodes, …); default: our own graph"),
  FEED_SOURCES_FILE: z
    .string()
    .optional()
    .describe('JSON file with feed sources that the api imports at its start; sources changed by a call are kept'),
  SLACK_API_URL: z.string().url().default('https://slack.com/api/').describe("Address of Slack's API"),
  HUBSPOT_API_URL: z.string().url().default('https://api.hubapi.com').describe("Address of HubSpot's API"),
  NOTIFICATIONS_DRY_RUN: bool(true).describe(
    'Record notifications instead of sending them; webhooks on loopback are sent anyway. false: send all',
  ),
  NOTIFICATIONS_REPEAT_MINUTES: int(10, 0, 10_080).describe(
    'An identical notification to the same recipient is not repeated within this time',
  ),
  NOTIFICATIONS_DIGEST_MINUTES: int(60, 1, 10_080).describe('Interval at which low-priority notifications are combined into one'),
  NOTIFICATIONS_KEEP_DAYS: int(90, 1, 3_650).describe('Retention of the delivery log'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/./, 'smtp:// or smtps://')
    .optional()
    .describe('Mail server of notifications, e.g. smtp://user:password@mail.example.com:587; default: no e-mail'),
  SMTP_FROM: z
    .string()
    .regex(/^([^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/, 'an address, or Name <address>')
    .default('Signalbox <signalbox@localhost>')
    .describe('Sender of e-mail'),
  TELEMETRY_ENABLED: bool(true).describe('Record traces (exported only when an endpoint is set)'),
  TELEMETRY_EXPORT_ENDPOINT: z.string().optional().describe('OTLP/HTTP endpoint for traces'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info').describe('Log level'),
  SIGNALBOX_CONFORMANCE: bool(false).describe('Tests only: serve the fixtures of the MCP conformance suite, and the scripted A2A agent'),
});

export type Config = z.output<typeof environment>;

/** Reads and validates the environment. @throws Error naming each bad variable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(present);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`Bad configuration: ${problems.join('; ')}`);
  }
  return parsed.data;
}

/** This process's environment with some values replaced: what the processes started by `signalbox up` get. */
export const childEnvironment = (values: Record<string, string>): NodeJS.ProcessEnv => ({ ...process.env, ...values });

/** What a running stack tells about itself; written to `<data dir>/runtime.json` (mode 0600). */
export interface Runtime {
  api: string;
  mcp: string;
  a2a: string;
  console: string;
  docs: string;
  temporal: string;
  temporal_ui: string;
  database_url: string;
  database_owner_url: string;
  api_key: string;
  tenant: string;
  pids: Record<string, number>;
}

export const runtimeFile = (config: Config): string => join(resolve(config.SIGNALBOX_DATA_DIR), 'runtime.json');

/** The running stack's own description, or null when none is up. */
export function readRuntime(config: Config): Runtime | null {
  const text = textIfThere(runtimeFile(config));
  return text === null ? null : (JSON.parse(text) as Runtime);
}
