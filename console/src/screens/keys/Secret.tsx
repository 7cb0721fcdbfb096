import { useAct } from '../../api/act.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Copy } from '../../ui/Copy.tsx';
import type { MadeKey } from './model.ts';

/** The secret of a key, for as long as the screen holds it: it is in no store, and nobody can read it again. */
export function Secret({ made, onChange, onClose }: { made: MadeKey; onChange: (made: MadeKey) => void; onClose: () => void }) {
  const collect = useAct('access.key.collect', (answer) => {
    onChange(answer.data as MadeKey);
    collect.reset();
  });
  return (
    <section aria-label={`Secret of ${made.name}`} className="card grid gap-3 border-l-4 border-l-token p-4">
      {made.api_key === null ? (
        <>
          <p>
            The key <strong>{made.name}</strong> was created, but its secret did not arrive. Stored answers contain no secrets.
          </p>
          <div>
            <ActButton tool="access.key.collect" act={collect} args={() => ({ key_id: made.key_id })}>
              Collect the secret
            </ActButton>
          </div>
          <Outcome act={collect} />
        </>
      ) : (
        <>
          <p>
            The secret of <strong>{made.name}</strong>. Copy it now: it is shown once and stored nowhere.
          </p>
          <p className="flex min-w-0 items-center gap-2">
            <code data-secret className="min-w-0 rounded bg-sunk px-2 py-1 font-mono text-xs">
              {made.api_key}
            </code>
            <Copy text={made.api_key} label="Copy the secret" />
          </p>
        </>
      )}
      <div>
        <button type="button" className="control" onClick={onClose}>
          {made.api_key === null ? 'Close' : 'I have copied it: hide it'}
        </button>
      </div>
    </section>
  );
}
