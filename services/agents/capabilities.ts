import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Capability } from '../../contracts/agents/agents.ts';
import { AppError } from '../../contracts/errors.ts';

/** Accepts unknown keywords and formats: they are only for the peer. */
const ajv = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false });

/** @throws AppError VALIDATION_ERROR: a duplicate name, or an invalid JSON Schema */
export function checkCapabilities(capabilities: readonly Capability[]): void {
  const names = new Set<string>();
  for (const { name, parameters_schema, returns_schema } of capabilities) {
    if (names.has(name)) {
      throw new AppError('VALIDATION_ERROR', `The capability "${name}" is named twice.`, {
        hint: 'Give each capability a unique name.',
      });
    }
    names.add(name);
    for (const [field, schema] of Object.entries({ parameters_schema, returns_schema })) {
      const problem = problemOf(schema);
      if (!problem) continue;
      throw new AppError('VALIDATION_ERROR', `${field} of "${name}" is not a valid JSON Schema: ${problem}`, {
        hint: 'Send a JSON Schema (2020-12), or {} for anything.',
        details: { capability: name, field },
      });
    }
  }
}

function problemOf(schema: Record<string, unknown>): string | null {
  // Ignores the dialect: the keywords that matter here mean the same in all dialects.
  const { $schema: _, $id: __, ...plain } = schema;
  try {
    return ajv.validateSchema(plain) === true ? null : ajv.errorsText(ajv.errors).slice(0, 300);
  } catch (error) {
    return (error as Error).message.slice(0, 300);
  }
}
