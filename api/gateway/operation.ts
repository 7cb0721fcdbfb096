import type { z } from 'zod';
import type { AnyTool } from '../../tools/catalogue/define.ts';
import type { Deprecation } from './lifecycle.ts';

export const base = '/api/agents/v1';
/** pm-intelligence's path without version; the same operations. */
export const unversioned = '/api/agents';

/** A tool under a path. Routes, the OpenAPI document and its page are generated from these. */
export interface Operation {
  /** Camel case; used as the function name in generated clients. */
  id: string;
  method: 'GET' | 'POST';
  /** Relative to `base`, unless it begins with /api. */
  path: string;
  tool: AnyTool;
  summary: string;
  /** The agent of pm-intelligence that uses it; groups the page. */
  tag: string;
  /** Its parameters: in the query of a GET, in the body of a POST. */
  input: z.ZodObject;
  /** Maps them to the tool's arguments, if the names differ; the input is validated. */
  toArguments?(given: Record<string, unknown>): Record<string, unknown>;
  /** A valid example request. */
  example: Record<string, unknown>;
  /** Statuses beside those of every operation (openapi.ts). */
  may: (202 | 404 | 409)[];
  deprecated?: Deprecation;
}

export const pathOf = ({ path }: Pick<Operation, 'path'>): string => (path.startsWith('/api') ? path : base + path);

/** Every path of the operation. */
export const pathsOf = (operation: Operation): string[] => {
  const path = pathOf(operation);
  return path.startsWith(base) ? [path, unversioned + path.slice(base.length)] : [path];
};
