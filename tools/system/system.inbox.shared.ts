import { inboxKindNames, inboxKinds, type InboxKind } from '../../contracts/inbox.ts';
import type { ToolContext } from '../catalogue/define.ts';
import { judge } from '../catalogue/policy.ts';

/** The kinds of items that the caller could read by their own tools, too. */
export const kindsFor = ({ caller, front, tools }: Pick<ToolContext, 'caller' | 'front' | 'tools'>): InboxKind[] =>
  inboxKindNames.filter((kind) => {
    const found = tools.catalogue.find(inboxKinds[kind]);
    return found !== undefined && judge(found.tool, caller, front).effect === 'allow';
  });
