/** Metrics of a process that no tool owns: what adapters and front ends measure, and values that are read at a scrape. */
import { Gauge, Histogram, type Registry } from 'prom-client';

export const temporalSeconds = new Histogram({
  name: 'signalbox_temporal_request_seconds',
  help: 'Duration of requests to Temporal with their retries, by operation and outcome',
  labelNames: ['operation', 'outcome'],
  buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [],
});

export const openStreams = new Gauge({ name: 'signalbox_event_streams_open', help: 'Open event streams (SSE)', registers: [] });

/** Times a request to Temporal. A refusal by a process is an answer of Temporal, told apart by the error's name. */
export async function timed<T>(operation: string, work: () => Promise<T>): Promise<T> {
  const end = temporalSeconds.startTimer({ operation });
  try {
    const result = await work();
    end({ outcome: 'success' });
    return result;
  } catch (error) {
    end({ outcome: error instanceof Error ? error.name : 'Error' });
    throw error;
  }
}

type Labels = Record<string, string>;

interface GaugeRow<T> {
  name: string;
  help: string;
  labels?: string[];
  /** Its values in a reading; null: none. */
  of(reading: T): [labels: Labels, value: number][] | number | null;
}

/** All gauges of a scrape share a reading. */
const sameScrapeMs = 500;

/** Gauges that are read at a scrape. If the reading fails, they have no value: an old one would look current. */
export function readAtScrape<T>(registry: Registry, read: () => T | Promise<T>, rows: GaugeRow<T>[]): void {
  let last: { at: number; reading: Promise<T | null> } | null = null;
  const readOnce = (): Promise<T | null> => {
    if (!last || Date.now() - last.at > sameScrapeMs)
      last = {
        at: Date.now(),
        reading: Promise.resolve()
          .then(read)
          .catch(() => null),
      };
    return last.reading;
  };
  for (const { name, help, labels = [], of } of rows) {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        const reading = await readOnce();
        this.reset();
        const values = reading === null ? null : of(reading);
        // Without labels, `reset` sets it to zero.
        if (values === null) this.remove({});
        else if (typeof values === 'number') this.set(values);
        else for (const [named, value] of values) this.set(named, value);
      },
    });
  }
}
