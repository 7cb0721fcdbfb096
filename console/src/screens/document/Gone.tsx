import { Link } from '@tanstack/react-router';
import type { CallError } from '../../api/errors.ts';
import { Outside } from '../../ui/Outside.tsx';
import { RecordLink } from '../../ui/Text.tsx';

/** What became of a document that an old citation names. */
export function Gone({ error }: { error: CallError }) {
  const current = error.details?.['current_document_id'];
  return (
    <div role="alert" className="card grid justify-items-start gap-2 p-4">
      <p className="font-semibold">
        <Outside text={error.message} />
      </p>
      {typeof current === 'string' ? (
        <RecordLink type="document" id={current}>
          Open the current version
        </RecordLink>
      ) : (
        error.suggestion && <p>{error.suggestion}</p>
      )}
      <Link to="/console/sources" className="hit">
        All sources
      </Link>
    </div>
  );
}
