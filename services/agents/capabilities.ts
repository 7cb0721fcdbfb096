import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Capability } from '../../contracts/agents/agents.ts';
import { AppError } from '../../contracts/errors.ts';

/** Unknown keywords and formats are the peer's own business. */
const ajv = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false });

/** @throws AppError VALIDATION_ERROR: a name twice, or a schema that is no JSON Schema */
export function checkCapabilities(capabilities: readonly Capability[]): void {
  const names = new Set<string>();
  for (const { name, parameters_schema, returns_schema } of capabilities) {
    if (names.has(name)) {
      throw new AppError('VALIDATION_ERROR', `The capability "${name}" is named twice.`, {
        hint: 'Give each capability a name of its own.',
      });
    }
    names.add(name);
    for (const [field, schema] of Object.entries({ parameters_schema, returns_schema })) {
      const problem = problemOf(schema);
      if (!problem) continue;
      throw new AppError('VALIDATION_ERROR', `${field} of "${name}" is no valid JSON Schema: ${problem}`, {
        hint: 'Send a JSON Schema (2020-12), or {} for anything.',
        details: { capability: name, field },
      });
    }
  }
}

function problemOf(schema: Record<string, unknown>): string | null {
  // The dialect that it names may be an older one; what is used here means the same in all of them.
  const { $schema: _, $id: __, ...plain } = schema;
  try {
    return ajv.validateSchema(plain) === true ? null : ajv.errorsText(ajv.errors).slice(0, 300);
  } catch (error) {
    return (error as Error).message.slice(0, 300);
  }
}
