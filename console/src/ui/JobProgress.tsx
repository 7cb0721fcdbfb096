import { useEffect, useState } from 'react';
import type { Job } from '../../../contracts/jobs.ts';
import { progressOf, Rates, rateText, wordsOf, type Rate } from '../screens/jobs/model.ts';
import { Outside } from './Outside.tsx';
import { span } from './Time.tsx';

const rates = new Rates();

/** Stage, how far it is, how fast, and how long it will probably take. */
export function JobProgress({ job }: { job: Job }) {
  const [rate, setRate] = useState<Rate | null>(null);
  useEffect(() => setRate(rates.note(job)), [job]);
  const progress = progressOf(job);
  const words = wordsOf(progress);
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 text-soft">
      {progress.done !== null && progress.total !== null && (
        <progress
          value={progress.done}
          max={progress.total}
          aria-label={words}
          className="h-1.5 w-28 appearance-none overflow-hidden rounded bg-line [&::-moz-progress-bar]:bg-route [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-route"
        />
      )}
      <span className="min-w-0">
        <Outside text={words} most={80} />
      </span>
      {rate && <span>{rateText(rate)}</span>}
      {rate?.restMs != null && <span>about {span(rate.restMs)} left</span>}
    </span>
  );
}
