/** Keeps what a real command line printed, for the tests of its adapter: without paths, ports and keys of this machine, and without lists that no reader reads. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const fixtures = join(import.meta.dirname, '..', '..', '..', 'cli', 'runner', 'agents', 'fixtures');

const longLists = new Set(
  [
    'tools',
    'slash_commands',
    'terminal_slash_commands',
    'skills',
    'plugins',
    'agents',
    'memory_paths',
    'capabilities',
    'output_styles',
  ].concat(
    ['tool_use_result', 'tool_result_meta', 'toolTelemetry', 'modelUsage', 'subagent_stats', 'server_tool_use', 'cache_creation'],
    ['responseHeaders', 'supportedNativeDocumentMimeTypes', 'structured_content', 'structuredContent', 'messaging_socket_path'],
    ['detailedContent', 'transformedContent', 'analytics_disabled', 'additional_directories', 'mcpServers', 'servers'],
  ),
);

/** Copilot's progress within a step. */
const progress =
  /"type":"(?:session\.(?:background|skills|tools|mcp|info|usage)|assistant\.(?:tool_call_delta|message_delta|message_start|idle)|tool\.(?:execution_partial|shell_output)|model\.call_(?:start|finished|final)|stream_event)/;

/** @param folder of the trial, whose paths are replaced */
export function record(agent: string, of: string, lines: string[], folder: string): void {
  mkdirSync(join(fixtures, agent), { recursive: true });
  const kept = lines.filter((line) => !progress.test(line)).map((line) => anonymous(shorter(line), folder));
  writeFileSync(join(fixtures, agent, `${of.replace(' ', '')}.jsonl`), `${kept.join('\n')}\n`);
}

function shorter(line: string): string {
  try {
    return JSON.stringify(
      JSON.parse(line, (key, value: unknown) =>
        longLists.has(key) ? undefined : typeof value === 'string' && value.length > 600 ? `${value.slice(0, 600)}…` : value,
      ),
    );
  } catch {
    return line;
  }
}

const anonymous = (line: string, folder: string): string =>
  line
    .replaceAll(new RegExp(`${folder}/[a-z]+-\\w{6}`, 'g'), '/home/ann')
    .replaceAll(folder, '/home/ann')
    .replaceAll(homedir(), '/home/ann')
    .replaceAll(/\/tmp\/[\w./-]*/g, '/tmp/some')
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:8000')
    .replaceAll(/sbx_[\w.-]+/g, 'sbx_key');
