import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { access, routes, type Access, type Choice } from '../access.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access | Choice;
  }
}

/** From here on, a route can be registered only if api/access.ts lists it. */
export function declareAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: listed(route) };
  });
}

/**
 * Checks key and role of each route, wherever it was registered.
 * @param authenticated puts the caller on the request
 */
export function installAccess(app: FastifyInstance, authenticated: (request: FastifyRequest) => Promise<void>): void {
  app.addHook('onRequest', async (request) => {
    const who = request.routeOptions.config?.access;
    // Unknown routes get 404 without a key.
    if (who === undefined) return;
    if (typeof who === 'string' && access[who].admits === null) return;
    await authenticated(request);
    if (typeof who === 'string') admit(who, request.caller);
  });
  // The body says which of several operations is called.
  app.addHook('preHandler', async (request) => {
    const who = request.routeOptions.config?.access;
    if (who !== undefined && typeof who !== 'string') admit(chosen(who, request), request.caller);
  });
}

const chosen = ({ of, each, others }: Choice, request: FastifyRequest): Access => {
  const named = of(request);
  return named !== undefined && Object.hasOwn(each, named) ? each[named]! : others;
};

/** @throws AppError FORBIDDEN */
function admit(who: Access, caller: Caller): void {
  const { admits } = access[who];
  if (admits === null || admits(caller)) return;
  const message =
    who === 'decoder' ? `Only people with the role admin or operator may do this.` : `The role "${caller.role}" is read-only.`;
  throw new AppError('FORBIDDEN', message, {
    hint: 'Ask somebody with another role.',
    details: { rule: 'role', access: who },
  });
}

function listed({ method, url }: RouteOptions): Access | Choice {
  const methods = [method].flat();
  // All methods, for a path that only lists what exists.
  const names = methods.length > 5 ? ['ALL'] : methods.filter((name) => name !== 'HEAD' || methods.length === 1);
  const [who, ...others] = new Set(names.map((name) => routes[`${name} ${url}`]));
  if (who === undefined || others.length > 0) {
    throw new Error(`Say in api/access.ts who may call ${names.join(', ')} ${url}, the same of each method that is registered together.`);
  }
  return who;
}
