import type { z } from 'zod';
import type { AnyTool } from '../../tools/catalogue/define.ts';
import type { Deprecation } from './lifecycle.ts';

export const base = '/api/agents/v1';
/** Spelled so in pm-intelligence's table of agents; means the same. */
export const unversioned = '/api/agents';

/** A tool under a path. Routes, the OpenAPI document and the page of it are made from these alone. */
export interface Operation {
  /** Camel case; the name of a generated client's function. */
  id: string;
  method: 'GET' | 'POST';
  /** Below `base`, unless it begins with /api. */
  path: string;
  tool: AnyTool;
  summary: string;
  /** For which of pm-intelligence's agents it was made; groups the page. */
  tag: string;
  /** Its own parameters: of the query of a GET, of the body of a POST. */
  input: z.ZodObject;
  /** These as the tool's arguments, where they are called otherwise; what it is given is checked. */
  toArguments?(given: Record<string, unknown>): Record<string, unknown>;
  /** A request that works. */
  example: Record<string, unknown>;
  /** What it may answer beside what every operation may (openapi.ts). */
  may: (202 | 404 | 409)[];
  deprecated?: Deprecation;
}

export const pathOf = ({ path }: Pick<Operation, 'path'>): string => (path.startsWith('/api') ? path : base + path);

/** Every path it is served at. */
export const pathsOf = (operation: Operation): string[] => {
  const path = pathOf(operation);
  return path.startsWith(base) ? [path, unversioned + path.slice(base.length)] : [path];
};
