/**
 * Types of all tools for the clients, from the tools' schemas: clients/typescript/src/tools.ts, and one module per domain
 * in clients/python/src/signalbox_client/tools/. Written by `npm run gen`.
 */
import type { Schema } from '../contracts/json-schema.ts';
import type { z } from 'zod';
import type { Catalogue } from '../tools/catalogue/catalogue.ts';
import { pythonCodes, pythonModule, pythonShapes } from './client-python.ts';
import { Shapes } from './client-shapes.ts';
import { typescriptTypes } from './client-typescript.ts';

export const pythonFolder = 'clients/python/src/signalbox_client/tools';

/** Path to text, without the last line break. */
export async function clientFiles(catalogue: Catalogue): Promise<Map<string, string>> {
  const described = catalogue.tools
    .map(({ name, description, input, output }) => ({
      name,
      description,
      input: catalogue.jsonSchema(input as z.ZodType) as Schema,
      output: catalogue.jsonSchema(output as z.ZodType) as Schema,
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const shapes = await Shapes.of(catalogue, described);
  const domains = Map.groupBy(described, ({ name }) => name.split('.')[0] ?? '');
  return new Map([
    ['clients/typescript/src/tools.ts', typescriptTypes(described, shapes)],
    [`${pythonFolder}/__init__.py`, '"""Calls and answers of every tool, one module per domain. Written by `npm run gen`."""'],
    [`${pythonFolder}/_codes.py`, pythonCodes()],
    [`${pythonFolder}/shapes.py`, pythonShapes(shapes)],
    ...[...domains].map(([domain, ofDomain]): [string, string] => [`${pythonFolder}/${domain}.py`, pythonModule(domain, ofDomain, shapes)]),
  ]);
}
