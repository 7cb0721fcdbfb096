import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export const memoryPath = (id: string): string => `/console/memories/${encodeURIComponent(id)}`;

/** @param label for screen readers, where the text does not say of what */
export const MemoryLink = ({ id, label, children }: { id: string; label?: string; children: ReactNode }) => (
  <Link to={memoryPath(id)} className="hit" aria-label={label}>
    {children}
  </Link>
);
