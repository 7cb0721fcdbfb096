/**
 * Commands as rows of a table. A row defines a command's name and input. A plain verb also names the tool that it calls and how to print
 * the answer; any other verb has a function. Rows are loaded at every start, so they import nothing heavy.
 */
import { Argument, type Command, Option } from 'commander';
import type { Envelope } from '../contracts/envelope.ts';
import type { Answer, CallOptions, Input, ToolName } from './client.ts';
import type { Field } from './fields.ts';
import { aside, type Column, type Looks, note, say, sayJson, table } from './output.ts';

/** By name: an argument's form (`<id>`, `[id]`, `<name...>`), or a field. Options have the names of the tool's arguments. */
type Takes = Readonly<Record<string, string | Field<unknown>>>;

type Words<F> = F extends `${string}...${string}` ? string[] : F extends `<${string}` ? string : string | undefined;
type ValueOf<F> = F extends { readonly value?: infer T } ? T : Words<F>;
type Optional<T> = { [K in keyof T]: undefined extends ValueOf<T[K]> ? K : never }[keyof T];

/** The typed values by name; values that were not given are absent. */
export type Given<T> = { [K in Exclude<keyof T, Optional<T>>]: ValueOf<T[K]> } & {
  [K in Optional<T>]?: Exclude<ValueOf<T[K]>, undefined>;
} & { json: boolean };

interface Head<T> {
  /** The first line is the summary in command lists, the second the description. */
  help: string;
  takes?: T;
  /** Example command lines; the text after ` # ` explains them. */
  examples?: readonly string[];
}

interface Row extends Head<Takes> {
  run?(given: Record<string, unknown>, command: Command): Promise<void> | void;
}
/** By path: `tasks claim`. A group comes before its verbs. */
export type Rows = Readonly<Record<string, Row>>;

/** A command with a function. */
export const verb = <const T extends Takes = {}>(row: Head<T> & { run(given: Given<T>, command: Command): Promise<void> | void }): Row =>
  row;

/** `input` is optional when the command's options have exactly the names of the tool's arguments. */
type Sends<N extends ToolName, T, Sent = Omit<Given<T>, 'json' | keyof CallOptions>> = [Sent, Exclude<keyof Sent, keyof Input<N>>] extends [
  Input<N>,
  never,
]
  ? { input?(given: Given<T>): Input<N> }
  : { input(given: Given<T>): Input<N> };

/** The array of the answer that is printed as a table, and the text for an empty one. */
type Lists<D, G> = {
  [K in keyof D]: D[K] extends readonly (infer R)[]
    ? { list: K; columns: readonly Column<R>[]; looks?: Looks<R>; none?: string | ((given: G) => string); more?: string }
    : never;
}[keyof D];

type Prints<N extends ToolName, T> =
  | (Lists<Answer<N>['data'], Given<T>> & { show?: never })
  | {
      list?: never;
      show(answer: Answer<N>, given: Given<T>): void | Promise<void>;
      /** false: the row prints warnings and links itself. */
      aside?: false;
    };

/** A command that is one call of one tool. */
export const plain = <N extends ToolName, const T extends Takes = {}>(row: Head<T> & { tool: N } & Prints<N, T> & Sends<N, T>): Row => ({
  ...row,
  run: async (given) => await perform(row as unknown as Loose, given),
});

/** The type above, for any tool. */
interface Loose {
  tool: ToolName;
  input?(given: object): never;
  list?: string;
  columns: Column<unknown>[];
  looks?: Looks<unknown>;
  none?: string | ((given: object) => string);
  more?: string;
  show?(answer: Answer<ToolName>, given: object): void | Promise<void>;
  aside?: false;
}

async function perform(row: Loose, given: Record<string, unknown>): Promise<void> {
  const { json, agentId, idempotencyKey, ...fields } = given;
  const answer = await call(row.tool, row.input?.(given) ?? (fields as never), { agentId, idempotencyKey } as CallOptions);
  if (json) return sayJson(row.list === undefined ? answer.data : page(answer));
  if (row.list !== undefined) return printList(row, row.list, answer, given);
  await row.show?.(answer, given);
  if (row.aside !== false) aside(answer);
}

function printList(
  { columns, looks, none, more = 'filters show others' }: Loose,
  list: string,
  answer: Answer<ToolName>,
  given: object,
): void {
  const rows = (answer.data as Record<string, unknown[]>)[list] ?? [];
  if (rows.length === 0 && none !== undefined) return say(typeof none === 'string' ? none : none(given));
  table(rows, columns, looks);
  const total = answer.metadata.total_count ?? 0;
  if (total > rows.length) note(`\n${rows.length} of ${total}; --limit shows more, ${more}.`);
}

/** A page of a list as `--json` prints it. */
export const page = ({ data, metadata: { total_count: total, next_cursor } }: Answer<ToolName>): object => ({
  ...(data as object),
  total,
  next_cursor,
});

/** The call waits for a person's decision: there is no answer to print. */
class Waiting extends Error {
  readonly answer: Envelope;
  constructor(answer: Envelope) {
    super('It waits for a person.');
    this.answer = answer;
  }
}

/**
 * Calls a tool and fails when the tool fails. The client is loaded at the first call, because help needs no configuration.
 * @throws Waiting, which ends the command and prints the tool's answer
 */
export async function call<N extends ToolName>(tool: N, args: Input<N>, options?: CallOptions): Promise<Answer<N>> {
  const answer = await (await import('./client.ts')).ok(tool, args, options);
  if (answer.status === 'pending_approval') throw new Waiting(answer);
  return answer;
}

async function finished(run: Promise<void> | void, json: boolean): Promise<void> {
  try {
    await run;
  } catch (error) {
    if (!(error instanceof Waiting)) throw error;
    if (json) sayJson(error.answer.data);
    aside(error.answer);
  }
}

/** Adds the commands of a table to the program. */
export function addRows(program: Command, rows: Rows): void {
  const made = new Map([['', program]]);
  for (const [path, { help, takes = {}, examples = [], run }] of Object.entries(rows)) {
    const [, group = '', name = path] = /^(.*) (.*)$/.exec(path) ?? [];
    const [summary = '', description = ''] = help.split('\n');
    const command = made.get(group)!.command(name).summary(summary).description(description);
    made.set(path, command);
    for (const part of Object.values(takes).flatMap(partsOf)) {
      if (part instanceof Option) command.addOption(part);
      else command.addArgument(part);
    }
    if (examples.length > 0) command.addHelpText('after', shown(examples));
    if (!run) continue;
    command.action(async () => {
      const json = command.optsWithGlobals<{ json?: boolean }>().json ?? false;
      await finished(run({ ...valuesOf(command, takes), json }, command), json);
    });
  }
}

const partsOf = (field: Takes[string]): readonly (Argument | Option)[] => (typeof field === 'string' ? [new Argument(field)] : field.parts);

/** The values that a command was given. */
export function valuesOf<const T extends Takes>(command: Command, takes: T): Omit<Given<T>, 'json'> {
  const words = [...command.processedArgs] as unknown[];
  const values = Object.entries(takes).map(([key, field]): [string, unknown] => {
    const [part] = partsOf(field);
    return [key, part instanceof Option ? optionOf(command, part.attributeName()) : words.shift()];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Omit<Given<T>, 'json'>;
}

/** A group that is a command itself, such as `work`, takes an option of its verb when it has one of that name. */
function optionOf(command: Command, name: string): unknown {
  const { parent } = command;
  return parent?.getOptionValueSource(name) === 'cli' ? parent.getOptionValue(name) : command.getOptionValue(name);
}

function shown(examples: readonly string[]): string {
  const lines = examples.map((line) => line.split(' # '));
  const widest = Math.max(...lines.map(([line = '']) => line.length));
  return `\nExamples:\n${lines.map(([line = '', does = '']) => `  $ ${line.padEnd(widest)}  ${does}`.trimEnd()).join('\n')}`;
}
