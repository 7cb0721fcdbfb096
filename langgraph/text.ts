import type { Envelope } from '../contracts/envelope.ts';

/** The text of an answer for a model: the data, and warnings or errors. */
export function textOf({ status, data, warnings, refs, error }: Envelope): string {
  if (status === 'error') {
    const { code = 'INTERNAL', message = 'The call failed.', suggestion, alternatives, candidates, retry_after_seconds } = error ?? {};
    return JSON.stringify({ error: code, message, suggestion, alternatives, candidates, retry_after_seconds });
  }
  if (status === 'pending_approval') {
    return JSON.stringify({
      status,
      approval_id: refs.find(({ type }) => type === 'approval')?.id,
      note: 'Not done yet: a person has to approve it first. Do not call it again; approval.request.get tells how it stands.',
    });
  }
  return JSON.stringify({
    ...(status === 'success' ? {} : { status }),
    data,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(status === 'accepted' ? { refs } : {}),
  });
}
