export { Signalbox, type CallOptions, type Event, type Input, type Output, type PagedTool, type ToolName } from './client.ts';
export { SignalboxError, type Code } from './errors.ts';
export type { Connection, Envelope } from './http.ts';
export { Lease, type Task } from './lease.ts';
export type { ErrorCode, Ref, Tools } from './tools.ts';
