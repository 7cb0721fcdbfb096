/** The coding agents that `signalbox work` can start. */
import type { Agent } from './agent.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';

export const agents: Record<string, Agent> = { claude, codex, gemini, opencode, qwen, copilot };
