import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { access, routes, type Access, type Choice } from '../access.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access | Choice;
  }
}

/** From here on no route is registered of which api/access.ts does not say who may call it. */
export function declareAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: listed(route) };
  });
}

/**
 * Asks for the key and the role that a route needs, whoever registered it and where.
 * @param authenticated puts the caller on the request
 */
export function installAccess(app: FastifyInstance, authenticated: (request: FastifyRequest) => Promise<void>): void {
  app.addHook('onRequest', async (request) => {
    const who = request.routeOptions.config?.access;
    // There is no such route: that is told to anybody.
    if (who === undefined) return;
    if (typeof who === 'string' && access[who].admits === null) return;
    await authenticated(request);
    if (typeof who === 'string') admit(who, request.caller);
  });
  // Which operation of several is meant stands in the body.
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
  throw new AppError('FORBIDDEN', `The role "${caller.role}" is read-only.`, {
    hint: 'Ask somebody with another role.',
    details: { rule: 'role', access: who },
  });
}

function listed({ method, url }: RouteOptions): Access | Choice {
  const methods = [method].flat();
  // Every method, for a path that only says what there is.
  const names = methods.length > 5 ? ['ALL'] : methods.filter((name) => name !== 'HEAD' || methods.length === 1);
  const [who, ...others] = new Set(names.map((name) => routes[`${name} ${url}`]));
  if (who === undefined || others.length > 0) {
    throw new Error(`Say in api/access.ts who may call ${names.join(', ')} ${url}, the same of each method that is registered together.`);
  }
  return who;
}
