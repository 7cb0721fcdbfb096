import MarkdownIt from 'markdown-it';
import { Fragment, type ReactNode } from 'react';
import { Outside } from './Outside.tsx';

const markdown = new MarkdownIt({ html: false, linkify: false });
type Token = ReturnType<typeof markdown.parse>[number];

const tags: Record<string, [tag: keyof React.JSX.IntrinsicElements, className: string]> = {
  paragraph: ['p', 'my-2'],
  heading: ['h3', 'mt-4 mb-1 font-semibold'],
  bullet_list: ['ul', 'my-2 list-disc pl-5'],
  ordered_list: ['ol', 'my-2 list-decimal pl-5'],
  list_item: ['li', ''],
  blockquote: ['blockquote', 'my-2 border-l-4 border-line pl-3 text-soft'],
  strong: ['strong', ''],
  em: ['em', ''],
  s: ['s', ''],
  table: ['table', 'my-2 border-collapse'],
  thead: ['thead', ''],
  tbody: ['tbody', ''],
  tr: ['tr', 'border-b border-line'],
  th: ['th', 'px-2 py-1 text-left'],
  td: ['td', 'px-2 py-1'],
};

/** From outside: addresses are shown with their host and never fetched. */
function Away({ href, children }: { href: string; children: ReactNode }) {
  const url = URL.canParse(href) ? new URL(href) : null;
  if (!url || !/^(https?|mailto):$/.test(url.protocol)) return <>{children}</>;
  return (
    <a href={href} rel="noreferrer noopener" target="_blank">
      {children} <span className="text-xs text-soft">({url.host || url.pathname})</span>
    </a>
  );
}

/** Tokens to elements. A heading of the text is one under the screen's own. */
function render(tokens: Token[]): ReactNode[] {
  const stack: { token: Token | null; children: ReactNode[] }[] = [{ token: null, children: [] }];
  const put = (node: ReactNode): void => void stack.at(-1)!.children.push(<Fragment key={stack.at(-1)!.children.length}>{node}</Fragment>);
  for (const token of tokens) {
    if (token.nesting === 1) stack.push({ token, children: [] });
    else if (token.nesting === -1) {
      const { token: opened, children } = stack.pop()!;
      const kind = token.type.replace(/_close$/, '');
      if (kind === 'link') put(<Away href={String(opened?.attrGet('href') ?? '')}>{children}</Away>);
      else if (token.hidden) put(children);
      else {
        const [Tag, className] = tags[kind] ?? ['span', ''];
        const element = Tag as 'p';
        const Element = element;
        put(<Element className={className}>{children}</Element>);
      }
    } else if (token.type === 'inline') put(render(token.children ?? []));
    else if (token.type === 'fence' || token.type === 'code_block') {
      put(
        <pre tabIndex={0} className="my-2 overflow-x-auto rounded bg-sunk p-3 font-mono text-xs whitespace-pre-wrap">
          <Outside text={token.content} most={Infinity} />
        </pre>,
      );
    } else if (token.type === 'code_inline') {
      put(
        <code className="rounded bg-sunk px-1 font-mono text-xs">
          <Outside text={token.content} most={Infinity} />
        </code>,
      );
    } else if (token.type === 'hardbreak') put(<br />);
    else if (token.type === 'softbreak') put(' ');
    else if (token.type === 'hr') put(<hr className="my-3 border-line" />);
    else put(<Outside text={token.content} most={Infinity} />);
  }
  return stack[0]!.children;
}

/** Markdown of agents and drafts as elements; HTML in it stays text. */
export const Markdown = ({ text }: { text: string }) => <div className="min-w-0">{render(markdown.parse(text, {}))}</div>;
