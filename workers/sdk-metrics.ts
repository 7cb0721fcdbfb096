/** Temporal's own metrics of the worker: latencies of its queues, free slots, executions and failures by name, cached workflows. */
import type { RuntimeOptions } from '@temporalio/worker';
import { freePort } from '../platform/embedded/ports.ts';

/** In seconds. The SDK's own end at ten minutes and are in milliseconds. */
const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const timed = [
  'workflow_task_schedule_to_start_latency',
  'workflow_task_execution_latency',
  'workflow_task_replay_latency',
  'workflow_endtoend_latency',
  'activity_schedule_to_start_latency',
  'activity_execution_latency',
  'activity_succeed_endtoend_latency',
  'local_activity_execution_latency',
  'request_latency',
  'long_request_latency',
];
const timeoutMs = 2_000;

export interface SdkMetrics {
  telemetryOptions: NonNullable<RuntimeOptions['telemetryOptions']>;
  /** Prometheus text; empty when the exporter does not answer. */
  text(): Promise<string>;
}

/** The exporter of the SDK opens a port by itself. It stays on loopback; the worker's port passes its text on. */
export async function sdkMetrics(): Promise<SdkMetrics> {
  const port = await freePort(0);
  return {
    telemetryOptions: {
      metrics: {
        attachServiceName: false,
        prometheus: {
          bindAddress: `127.0.0.1:${port}`,
          countersTotalSuffix: true,
          unitSuffix: true,
          useSecondsForDurations: true,
          histogramBucketOverrides: Object.fromEntries(timed.map((name) => [name, buckets])),
        },
      },
    },
    async text() {
      try {
        const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(timeoutMs) });
        return response.ok ? await response.text() : '';
      } catch {
        return '';
      }
    },
  };
}
