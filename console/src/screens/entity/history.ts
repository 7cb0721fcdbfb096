/** Pure: an entry of an entity's history in words. */
import type { EntityDetail } from './types.ts';
import { worded } from '../../ui/words.ts';

type Entry = EntityDetail['history'][number];

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** @returns `other`: the entity that it is also about */
export function told({ event, data }: Pick<Entry, 'event' | 'data'>): { text: string; other?: string } {
  const of = (field: string): string => text(data[field]);
  const moved = (data['outcome'] as { mentions_moved?: number } | null | undefined)?.mentions_moved;
  const mentions = moved === undefined ? '' : `, ${moved} mentions moved`;
  switch (event) {
    case 'absorbed':
      return { text: `“${of('name')}” became a part of it${mentions}`, other: of('loser') };
    case 'merged':
      return { text: 'It became a part of another entity', other: of('into') };
    case 'split':
      return { text: `A part of it became another entity${mentions}`, other: of('into') };
    case 'created':
      return { text: 'It was created', other: of('from') };
    case 'restored':
      return { text: data['undone'] === undefined ? 'It was split off again' : `A ${of('undone')} was undone`, other: of('from') };
    case 'alias_added':
      return { text: `It got the name “${of('alias')}”` };
    case 'renamed':
      return { text: `It was renamed${of('to') ? ` to “${of('to')}”` : ''}` };
    case 'linked':
      return { text: `It was linked to ${of('external_system')} ${of('external_id')}` };
    case 'state_set':
      return { text: `Its state became ${of('to')}${of('source') ? `, says ${of('source')}` : ''}` };
    case 'type_set':
      return { text: `It was said to be a ${of('to')}${of('from') ? `, not a ${of('from')}` : ''}` };
    case 'flagged':
      return { text: 'It was flagged' };
    default:
      return { text: worded(event) };
  }
}
