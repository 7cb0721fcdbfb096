import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';

/** A dialog over the screen. Esc closes it and returns the focus to where it was, unless it must be answered. */
export function Dialog({
  open,
  onClose,
  title,
  children,
  must = false,
  className = '',
  first,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  must?: boolean;
  className?: string;
  first?: RefObject<HTMLElement | null>;
}) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && !must && onClose()} disablePointerDismissal={must}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-30 bg-[rgb(11_16_18/0.5)]" />
        <Base.Popup
          {...(first ? { initialFocus: first } : {})}
          className={`card fixed top-[12vh] left-1/2 z-40 grid max-h-[76vh] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 gap-4 overflow-auto border-edge p-5 shadow-xl outline-none ${className}`}
        >
          <Base.Title className="text-xl">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
