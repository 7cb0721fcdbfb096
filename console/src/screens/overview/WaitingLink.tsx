import { Link } from '@tanstack/react-router';
import { parseSearch } from '../../url.ts';
import type { Waiting } from './model.ts';

/** Leads to the screen on which it is decided. */
export function WaitingLink({ path, text }: Pick<Waiting, 'path' | 'text'>) {
  const [to, search = ''] = path.split('?');
  return (
    <Link to={to!} search={parseSearch(search)} className="hit">
      {text}
    </Link>
  );
}
