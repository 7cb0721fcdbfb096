/** Editor and comparison of texts by CodeMirror: a chunk of its own, loaded when one is shown (`lazy(() => import('…/Code.tsx'))`). */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { celClass, celParts } from './cel.ts';

export interface CodeProps {
  label: string;
  value: string;
  /** Absent: to be read only. */
  onChange?: (value: string) => void;
  language?: 'json' | 'cel' | 'text';
  /** The text that it is compared with: side by side, or in one column where there is no room. */
  before?: string;
}

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? '';

const theme = EditorView.theme({
  '&': { border: '1px solid var(--color-edge)', borderRadius: '6px', background: 'var(--color-paper)', fontSize: '0.8125rem' },
  '.cm-content': { fontFamily: 'var(--font-mono)', caretColor: 'var(--color-ink)' },
  '.cm-gutters': { background: 'var(--color-sunk)', color: 'var(--color-soft)', border: 'none' },
  '.cm-specialChar': { color: 'var(--color-caution)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content:focus': { outline: '2px solid var(--color-route)', outlineOffset: '-2px' },
});

/** The page's own colours, which have enough contrast in both themes. */
const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--color-route)' },
  { tag: tags.string, color: 'var(--color-proceed)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--color-token)' },
]);

/** Characters that people do not see are drawn as `U+202E`. */
const hidden = highlightSpecialChars({
  addSpecialChars: /[\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/u,
  render(code) {
    const chip = document.createElement('span');
    chip.textContent = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    chip.className = 'mx-0.5 rounded border border-caution px-1 text-caution';
    return chip;
  },
});

const celMatcher = new MatchDecorator({ regexp: celParts(), decoration: (match) => Decoration.mark({ class: celClass(match) }) });
const cel = ViewPlugin.define<{ marks: DecorationSet; update(update: Parameters<typeof celMatcher.updateDeco>[0]): void }>(
  (view) => ({
    marks: celMatcher.createDeco(view),
    update(update) {
      this.marks = celMatcher.updateDeco(update, this.marks);
    },
  }),
  { decorations: ({ marks }) => marks },
);

const basics = (label: string, language: CodeProps['language']): Extension[] => [
  EditorView.cspNonce.of(nonce),
  EditorView.contentAttributes.of({ 'aria-label': label }),
  EditorView.lineWrapping,
  lineNumbers(),
  hidden,
  bracketMatching(),
  syntaxHighlighting(colours),
  ...(language === 'json' ? [json()] : language === 'cel' ? [cel] : []),
  theme,
];

export default function Code({ label, value, onChange, language = 'text', before }: CodeProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const change = useRef(onChange);
  const first = useRef(value);
  useEffect(() => {
    change.current = onChange;
    first.current = value;
  });
  const writes = Boolean(onChange);
  // A comparison is drawn anew for other texts; an editor keeps its cursor.
  const compared = before === undefined ? undefined : value;
  useEffect(() => {
    const parent = place.current!;
    const common = basics(label, language);
    if (before !== undefined && matchMedia('(min-width: 900px)').matches) {
      const fixed = [...common, EditorState.readOnly.of(true)];
      const merge = new MergeView({ parent, a: { doc: before, extensions: fixed }, b: { doc: first.current, extensions: fixed } });
      return () => merge.destroy();
    }
    const editor = new EditorView({
      parent,
      doc: first.current,
      extensions: [
        ...common,
        ...(before === undefined ? [] : [unifiedMergeView({ original: before, mergeControls: false })]),
        ...(writes
          ? [
              history(),
              // Tab leaves the editor: a keyboard must not be caught in it.
              keymap.of([...defaultKeymap, ...historyKeymap]),
              EditorView.updateListener.of(({ docChanged, state }) => docChanged && change.current?.(state.doc.toString())),
            ]
          : [EditorState.readOnly.of(true)]),
      ],
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [label, language, before, writes, compared]);
  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== value)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return <div ref={place} className="min-w-0" />;
}
