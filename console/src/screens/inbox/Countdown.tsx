import { useNow } from '../../ui/Time.tsx';
import { countdown } from './model.ts';

/** The rest of a time, second by second. */
export function Countdown({ until }: { until: string }) {
  const left = Date.parse(until) - useNow(1);
  return (
    <time
      dateTime={until}
      title={until}
      className={`whitespace-nowrap ${left < 300_000 ? 'text-stop' : left < 3_600_000 ? 'text-caution' : ''}`}
    >
      {countdown(left) || 'expired'}
    </time>
  );
}
