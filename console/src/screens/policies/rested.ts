import { useEffect, useState } from 'react';

/** The value once it has not changed for a while, in ms: what a person types is asked about when the typing rests. */
export function useRested<T>(value: T, ms = 400): T {
  const text = JSON.stringify(value);
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(text), ms);
    return () => window.clearTimeout(timer);
  }, [text, ms]);
  return JSON.parse(rested) as T;
}
