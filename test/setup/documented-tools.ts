/** The tools as they are documented: their schemas, and the example of each in docs/tools.md. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Schema } from '../../contracts/json-schema.ts';

export interface DocumentedTool {
  name: string;
  title: string;
  inputSchema: Schema;
}

const root = new URL('../../', import.meta.url);
const schemas = new URL('tools/schemas/', root);

export const documentedTools = readdirSync(schemas).map(
  (file) => JSON.parse(readFileSync(new URL(file, schemas), 'utf8')) as DocumentedTool,
);

/** The arguments of each tool's example. */
export const documentedArguments = new Map(
  [...readFileSync(new URL('docs/tools.md', root), 'utf8').matchAll(/```json\n(\{\n\s+"name": [\s\S]*?)\n```/g)]
    .map(([, text]) => JSON.parse(text!) as { name: string; arguments: Record<string, unknown> })
    .map((example) => [example.name, example.arguments]),
);
