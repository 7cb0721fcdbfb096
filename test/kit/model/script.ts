/** What the scripted model does next: a function of the conversation alone, so resumed sessions and repeated requests go on where they were. */

export interface Said {
  kind: 'said';
  text: string;
}

export interface Called {
  kind: 'called';
  id: string;
  name: string;
  /** Null: not answered yet. */
  result: string | null;
}

export interface Tool {
  name: string;
  /** OpenAI Responses groups tools of MCP servers. */
  namespace?: string;
}

/** A request, whatever its wire format. */
export interface Conversation {
  system: string;
  /** What the user said and which tools were called, in this order. */
  items: (Said | Called)[];
  tools: Tool[];
  /** What the tools say of themselves; some list there the tools that they hold back. */
  descriptions: string;
}

export type Step =
  /** A file, relative to the folder that the agent says it works in. Written with the agent's own tool, else with its shell. */
  | { write: string; content: string }
  /** A command of the agent's shell. */
  | { shell: string }
  /** A tool of an MCP server, by its own name. Prefixes and separators of the agent do not matter. */
  | { tool: string; args: Record<string, unknown> }
  /** Ends the turn with this text. */
  | { text: string }
  /** Answers with this HTTP status. */
  | { status: number }
  /** Does not answer. */
  | { hang: true };

export type Script = (conversation: Conversation) => Step;

export type Move = { text: string } | { call: Tool; args: Record<string, unknown> } | { status: number } | { hang: true };

/** The word by which a prompt chooses its script. */
export const scriptWord = (name: string): string => `[script:${name}]`;

/**
 * Plays the script that the latest prompt names (`scriptWord`), one step a call. A script that is through repeats its last step; requests
 * without such a word, e.g. for the title of a session, are answered with "Scripted."
 */
export function scripts(named: Record<string, Step[]>): Script {
  return ({ items }) => {
    const begin = items.findLastIndex((item) => item.kind === 'said' && /\[script:[\w-]+\]/.test(item.text));
    if (begin < 0) return { text: 'Scripted.' };
    const name = [...(items[begin] as Said).text.matchAll(/\[script:([\w-]+)\]/g)].at(-1)![1]!;
    const steps = named[name];
    if (!steps) return { text: `BLOCKED no script ${name}` };
    const done = items.slice(begin).filter((item) => item.kind === 'called' && item.result !== null && !searchers.has(item.name)).length;
    return steps[Math.min(done, steps.length - 1)]!;
  };
}

/** Some agents hold back the tools of MCP servers until the model asks for them by name. Such a call is no step of a script. */
const searchers = new Set(['ToolSearch', 'tool_search']);

/** Tools for files, by the names and arguments that the agents give them. */
const writers: Record<string, (path: string, content: string) => Record<string, unknown>> = {
  Write: (file_path, content) => ({ file_path, content }),
  write_file: (file_path, content) => ({ file_path, content }),
  write: (filePath, content) => ({ filePath, content }),
  create: (path, file_text) => ({ path, file_text }),
};

const shells: Record<string, (command: string) => Record<string, unknown>> = {
  Bash: (command) => ({ command, description: 'Scripted' }),
  bash: (command) => ({ command, description: 'Scripted' }),
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  run_shell_command: (command) => ({ command, description: 'Scripted', is_background: false }),
  shell: (command) => ({ command: ['bash', '-c', command] }),
};

/** Expresses a step with the tools that the request offers. */
export function moveOf(step: Step, conversation: Conversation): Move {
  const { tools } = conversation;
  if ('write' in step) {
    const tool = tools.find(({ name }) => Object.hasOwn(writers, name));
    if (tool) return { call: tool, args: writers[tool.name]!(absolute(step.write, conversation), step.content) };
    return moveOf({ shell: `printf %s '${step.content.replaceAll("'", String.raw`'\''`)}' > '${step.write}'` }, conversation);
  }
  if ('shell' in step) {
    const tool = tools.find(({ name }) => Object.hasOwn(shells, name));
    return tool ? { call: tool, args: shells[tool.name]!(step.shell) } : { text: 'BLOCKED no shell is offered' };
  }
  if ('tool' in step) {
    const ending = `_${spelling(step.tool)}`;
    const tool = tools.find(({ name }) => `_${spelling(name)}`.endsWith(ending));
    if (tool) return { call: tool, args: step.args };
    return heldBack(ending, step.args, conversation) ?? { text: `BLOCKED no tool ${step.tool} is offered` };
  }
  return step;
}

const spelling = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');

/** Asks for a tool by its name; then the agent offers it, or has a tool that calls it. */
function heldBack(ending: string, args: Record<string, unknown>, { tools, system, descriptions, items }: Conversation): Move | undefined {
  const words = [system, descriptions, ...items.map((item) => (item.kind === 'said' ? item.text : (item.result ?? '')))].join('\n');
  const name = [...words.matchAll(/mcp__[\w.-]*\w/g)].map(([word]) => word).find((word) => `_${spelling(word)}`.endsWith(ending));
  if (!name) return undefined;
  const searcher = tools.find((tool) => searchers.has(tool.name));
  const asked = items.some((item) => item.kind === 'called' && searchers.has(item.name));
  if (searcher && !asked) return { call: searcher, args: { query: `select:${name}`, max_results: 5 } };
  const caller = tools.find((tool) => tool.name === 'tool_call');
  return caller && { call: caller, args: { name, arguments: args } };
}

/** Tools for files want absolute paths. Every agent tells its model where it works, each in its own words. */
function absolute(path: string, { system, items }: Conversation): string {
  if (path.startsWith('/')) return path;
  const words = [system, ...items.map((item) => (item.kind === 'said' ? item.text : ''))].join('\n');
  const folder = /(?:working (?:in the )?directory|workspace director(?:y|ies)|<cwd>)[^/]{0,60}(\/[^\s`'"<]+)/i.exec(words)?.[1];
  return folder ? `${folder.replace(/[/.]$/, '')}/${path}` : path;
}
