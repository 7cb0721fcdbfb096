import { readRuntime } from '../platform/config.ts';
import { down, status } from '../platform/embedded/status.ts';
import { exits, unreachable } from './exit.ts';
import { duration, megabytes, note, paint, say, sayJson, table } from './output.ts';
import { cliConfig } from './target.ts';

export async function downCommand(json: boolean): Promise<void> {
  const config = cliConfig();
  const started = performance.now();
  const { ran, leftovers } = await down(config, note);
  if (json) return sayJson({ ran, leftovers });
  if (!ran) return say('Nothing was running.');
  say(`Stopped in ${((performance.now() - started) / 1000).toFixed(1)} s. Everything is kept in ${config.SIGNALBOX_DATA_DIR}.`);
}

export async function statusCommand(json: boolean): Promise<void> {
  const config = cliConfig();
  const now = await status(config);
  const runtime = now.state === 'up' ? readRuntime(config) : null;
  if (now.state === 'down') process.exitCode = exits.unreachable;
  if (json) {
    const urls = runtime && { api: runtime.api, mcp: runtime.mcp, temporal_ui: runtime.temporal_ui };
    return sayJson({ ...now, ...urls });
  }
  if (now.state === 'down') throw unreachable(`Nothing runs in ${now.data_dir}.`);
  const look = { up: 'green', starting: 'yellow', abandoned: 'red' } as const;
  say(`Signalbox is ${paint(look[now.state], now.state)}${runtime ? ` at ${runtime.api}` : ''}, data in ${now.data_dir}`);
  if (now.state === 'abandoned') say('Its supervisor is gone: `signalbox down` stops what is left, `signalbox up` starts anew.');
  say();
  table(
    now.parts,
    [
      'name as part',
      { state: ({ running }) => (running ? 'running' : 'down') },
      'pid',
      { memory: ({ pss_bytes, rss_bytes }) => megabytes(pss_bytes ?? rss_bytes), uptime: ({ uptime_seconds }) => duration(uptime_seconds) },
      { address: ({ address }) => address ?? '' },
    ],
    { state: (text, { running }) => paint(running ? 'green' : 'red', text) },
  );
  const total = now.parts.reduce((sum, part) => sum + (part.pss_bytes ?? part.rss_bytes ?? 0), 0);
  say();
  say(`Memory ${megabytes(total)}${runtime?.temporal_ui ? `, processes at ${runtime.temporal_ui}` : ''}`);
}
