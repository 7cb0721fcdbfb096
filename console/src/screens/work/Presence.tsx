import type { Holder } from '../../../../contracts/work/board.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { aspects } from '../agents/model.ts';
import { presenceWords } from './model.ts';

/** Whether the holder of a task is there. Nothing of whom nobody watches. */
export const Presence = ({ is }: { is: Holder['presence'] }) =>
  is === 'none' ? null : (
    <span data-presence={is} className="text-xs whitespace-nowrap">
      <Aspect is={aspects[is]}>{presenceWords[is]}</Aspect>
    </span>
  );
