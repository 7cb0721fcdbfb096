import { lazy, Suspense } from 'react';
import type { CodeProps } from './Code.tsx';
import { Skeleton } from './Panel.tsx';

const Loaded = lazy(() => import('./Code.tsx'));

/** The editor, and the comparison of two texts; its code is loaded when it is shown first. */
export const Code = (props: CodeProps) => (
  <Suspense fallback={<Skeleton />}>
    <Loaded {...props} />
  </Suspense>
);
