import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { Resource } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace-base';

/** Target of spans; Temporal's plugin uses the same two to trace workflows and activities. */
export interface TraceExport {
  resource: Resource;
  spanProcessor: SpanProcessor;
}

let started: TraceExport | null = null;

/**
 * Starts tracing for this process: one trace runs from the front end through Temporal into activities. Trace ids
 * exist (and are in the ledger) without an endpoint; spans are exported only with one. Uses the 1.30 line of the SDK,
 * because Temporal's interceptors use it and its spans crash newer exporters.
 */
export function startTelemetry(service: string, options: { enabled: boolean; endpoint?: string | undefined }): { stop(): Promise<void> } {
  if (!options.enabled) return { stop: async () => {} };
  const resource = new Resource({ 'service.name': `signalbox-${service}` });
  const provider = new BasicTracerProvider({ resource });
  if (options.endpoint) {
    const url = options.endpoint.endsWith('/v1/traces') ? options.endpoint : `${options.endpoint.replace(/\/$/, '')}/v1/traces`;
    const spanProcessor = new BatchSpanProcessor(new OTLPTraceExporter({ url }));
    provider.addSpanProcessor(spanProcessor);
    started = { resource, spanProcessor };
  }
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return { stop: () => provider.shutdown() };
}

/** Set when spans are exported. */
export const traceExport = (): TraceExport | null => started;
