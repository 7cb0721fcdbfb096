import { useState } from 'react';

/** Copies a text and confirms it. */
export function Copy({ text, label = 'Copy', className = '' }: { text: string; label?: string; className?: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className={`hit shrink-0 justify-center rounded px-2 text-route underline ${className}`}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
      {label === 'Copy' && <span className="sr-only"> {text.slice(0, 80)}</span>}
    </button>
  );
}
