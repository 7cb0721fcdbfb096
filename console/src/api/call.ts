import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Envelope } from '../../../contracts/envelope.ts';
import { http } from './http.ts';

/** Calls a tool through the one pipeline. @returns its data @throws CallError */
export async function call<T>(tool: string, args: object, signal?: AbortSignal): Promise<T> {
  const response = await http('POST', `tools/${tool}`, args, signal ? { signal } : {});
  return ((await response.json()) as Envelope).data as T;
}

/** A reading call, kept under its tool's name. */
export const read = <T>(tool: string, args: object = {}) =>
  queryOptions({ queryKey: ['tool', tool, args] as const, queryFn: ({ signal }) => call<T>(tool, args, signal) });

export const useRead = <T>(tool: string, args: object = {}, enabled = true) => useQuery({ ...read<T>(tool, args), enabled });
