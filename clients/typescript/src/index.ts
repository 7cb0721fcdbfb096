export { Signalbox, type CallOptions, type Input, type Output, type PagedTool, type ToolName } from './client.ts';
export { SignalboxError, type Code } from './errors.ts';
export type { Connection, Envelope } from './http.ts';
export { Lease } from './lease.ts';
export type * from './tools.ts';
