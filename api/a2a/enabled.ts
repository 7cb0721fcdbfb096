import { AppError } from '../../contracts/errors.ts';
import type { A2aService } from '../../services/agents/a2a/index.ts';
import type { ServerParts } from '../parts.ts';

/**
 * A2A's services, if A2A is enabled.
 * @throws AppError NOT_FOUND where it is disabled, SERVICE_UNAVAILABLE before the stores are reached
 */
export function enabled(parts: ServerParts): A2aService {
  const a2a = parts.services?.().a2a;
  if (a2a?.settings.enabled) return a2a;
  throw new AppError('NOT_FOUND', 'A2A is switched off here.', { hint: 'Set A2A_ENABLED=true to serve it.' });
}
