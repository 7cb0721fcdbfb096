import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { Resource } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { OpenTelemetryPlugin } from '@temporalio/interceptors-opentelemetry';

let plugin: (() => OpenTelemetryPlugin) | null = null;

/**
 * Starts tracing for this process: one trace runs from the front end through Temporal into activities. Trace ids
 * exist (and are in the ledger) without an endpoint; spans are exported only with one. Uses the 1.30 line of the SDK,
 * because Temporal's interceptors use it and its spans crash newer exporters.
 */
export async function startTelemetry(
  service: string,
  options: { enabled: boolean; endpoint?: string | undefined },
): Promise<{ stop(): Promise<void> }> {
  if (!options.enabled) return { stop: async () => {} };
  const resource = new Resource({ 'service.name': `signalbox-${service}` });
  const provider = new BasicTracerProvider({ resource });
  if (options.endpoint) {
    const url = options.endpoint.endsWith('/v1/traces') ? options.endpoint : `${options.endpoint.replace(/\/$/, '')}/v1/traces`;
    // Loaded only where spans are exported: 1.3 MB of code.
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    const { OpenTelemetryPlugin } = await import('@temporalio/interceptors-opentelemetry');
    const spanProcessor = new BatchSpanProcessor(new OTLPTraceExporter({ url }));
    provider.addSpanProcessor(spanProcessor);
    plugin = () => new OpenTelemetryPlugin({ resource, spanProcessor });
  }
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return { stop: () => provider.shutdown() };
}

/** Whether spans are exported. */
export const exportsTraces = (): boolean => plugin !== null;

/** What makes Temporal's clients and workers trace workflows and activities; empty when spans are not exported. */
export const tracePlugins = (): OpenTelemetryPlugin[] => (plugin ? [plugin()] : []);
