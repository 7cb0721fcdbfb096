import { useEffect, useRef } from 'react';
import { connection, retryNow } from '../api/live.ts';
import { useStore } from '../settings.ts';
import { Clock, span, useNow } from '../ui/Time.tsx';
import { toast } from '../ui/toasts.tsx';
import { counted } from '../ui/words.ts';

/** The server's restart takes a second or two: shorter breaks are not told. */
const patienceMs = 1_500;

/** The connection is lost: since when, and when it is tried again. What is on the screen stays. */
export function Banner() {
  const { status, since, retryAt, caughtUp } = useStore(connection);
  const now = useNow(1);
  const wasTold = useRef(false);
  const lost = status === 'lost' && now - since > patienceMs - 1_000;
  useEffect(() => {
    if (lost) wasTold.current = true;
    else if (caughtUp !== null && wasTold.current) {
      wasTold.current = false;
      toast(caughtUp === 0 ? 'Connected again. Nothing was missed.' : `Connected again. Caught up: ${counted(caughtUp, 'event')}.`);
    }
  }, [lost, caughtUp]);
  return (
    <div role="status">
      {lost && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-stop bg-sunk px-6 py-2 max-sm:px-4">
          <p>
            <strong>Connection lost</strong> <Clock at={since} /> ·{' '}
            {retryAt !== null && retryAt > now ? `trying again in ${span(retryAt - now)}` : 'trying again'}
          </p>
          <button type="button" className="control" onClick={retryNow}>
            Try now
          </button>
        </div>
      )}
    </div>
  );
}
