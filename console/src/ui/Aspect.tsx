/** A semaphore arm with its word: never a colour alone. */
export type AspectName = 'stop' | 'caution' | 'clear' | 'out' | 'held';

const looks: Record<AspectName, { colour: string; turn: number; crossed?: boolean }> = {
  stop: { colour: 'text-stop', turn: 0 },
  caution: { colour: 'text-caution', turn: 45 },
  clear: { colour: 'text-proceed', turn: 70 },
  out: { colour: 'text-soft', turn: 0, crossed: true },
  held: { colour: 'text-token', turn: 0 },
};

export function Aspect({ is, children }: { is: AspectName; children?: React.ReactNode }) {
  const { colour, turn, crossed } = looks[is];
  return (
    <span className={colour}>
      <svg
        viewBox="0 0 16 16"
        width="16"
        height="16"
        aria-hidden="true"
        className={`inline-block align-[-0.2em] ${children === undefined ? '' : 'mr-1.5'}`}
      >
        <path d="M13 15V1" stroke="currentColor" strokeWidth="1.5" />
        {is === 'held' ? (
          <rect x="1" y="3" width="11" height="5" rx="1" fill="currentColor" />
        ) : (
          <g transform={`rotate(${-turn} 13 4)`}>
            <rect x="1.5" y="2" width="11" height="4" fill="currentColor" />
          </g>
        )}
        {crossed && <path d="M2 9 11 1" stroke="currentColor" strokeWidth="1.5" />}
      </svg>
      {children !== undefined && <span>{children}</span>}
    </span>
  );
}
