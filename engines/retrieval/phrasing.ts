/** How a query is written. English; in other languages only a question mark tells a question. */

const opening =
  /^(?:(?:in|on|to|at|for|from|of|by|with) )?(?:who|whom|whose|what|when|where|which|why|how)\b|^(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had)\b/i;

export const isQuestion = (text: string): boolean => /\?\s*$/.test(text) || opening.test(text.trimStart());

/** With fewer telling words it is a keyword search. */
const fewest = 4;

/**
 * Whether a query describes its subject without asking, like a passage does: then a model that knows an instruction for
 * queries finds more with it. Questions are found as well without it, and keywords worse with it.
 * @param terms distinct telling words
 */
export const describes = (text: string, terms: number): boolean => terms >= fewest && !isQuestion(text);
