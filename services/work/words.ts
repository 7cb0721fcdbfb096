import { AppError } from '../../contracts/errors.ts';

/**
 * Title and description of a new task. Either may be missing; the description begins with the title, because some clients'
 * contracts have no title.
 * @throws AppError VALIDATION_ERROR when neither is given
 */
export function wordsOf(title: string | null | undefined, description: string | undefined): { title: string | null; description: string } {
  const text = description ?? title;
  if (text === undefined || text === null) {
    throw new AppError('VALIDATION_ERROR', 'The task has neither title nor description.', {
      hint: 'Give a description with requirements and acceptance criteria, a title, or both.',
    });
  }
  if (!title || text.split('\n', 1)[0]!.trim() === title) return { title: title ?? null, description: text };
  return { title, description: `${title}\n\n${text}` };
}
