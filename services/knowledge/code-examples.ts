import type { SearchHit } from '../../contracts/knowledge/knowledge.ts';

export interface CodeExample {
  code: string;
  /** As the source spells it; null if it is not given. */
  language: string | null;
  /** Headings above it and the surrounding text. */
  context: string;
  source: string;
  source_id: string;
  url: string | null;
  citation: string;
  score: number;
}

/** Aliases of languages. */
const names: Record<string, string> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  node: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  python3: 'python',
  rb: 'ruby',
  rs: 'rust',
  golang: 'go',
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  'shell-session': 'bash',
  ps1: 'powershell',
  pwsh: 'powershell',
  'c++': 'cpp',
  cc: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  'f#': 'fsharp',
  'objective-c': 'objc',
  kt: 'kotlin',
  kts: 'kotlin',
  yml: 'yaml',
  md: 'markdown',
  htm: 'html',
  docker: 'dockerfile',
  make: 'makefile',
  tf: 'terraform',
  hcl: 'terraform',
  gql: 'graphql',
  proto: 'protobuf',
  postgresql: 'sql',
  psql: 'sql',
  mysql: 'sql',
  sqlite: 'sql',
  jsonc: 'json',
  json5: 'json',
};

/** `JS`, `javascript` and `{.js .numberLines}` are one language. */
export function languageName(given: string): string {
  const word = given
    .trim()
    .toLowerCase()
    .replace(/^[{.\s]+|[}\s]+$/g, '')
    .split(/[\s,{]/, 1)[0]!;
  return names[word] ?? word;
}

const contextLength = 500;

/** The code blocks of some passages, in order, without duplicates. */
export function examplesOf(
  hits: readonly SearchHit[],
  { language, limit }: { language?: string | undefined; limit: number },
): CodeExample[] {
  const wanted = language === undefined ? undefined : languageName(language);
  const seen = new Set<string>();
  const examples: CodeExample[] = [];
  for (const hit of hits) {
    const context = contextOf(hit);
    for (const block of hit.code_examples ?? []) {
      if (wanted !== undefined && (block.language === undefined || languageName(block.language) !== wanted)) continue;
      const code = block.code.trimEnd();
      if (code.trim() === '' || seen.has(code)) continue;
      seen.add(code);
      examples.push({
        code,
        language: block.language ?? null,
        context,
        source: hit.source,
        source_id: hit.source_id,
        url: hit.url,
        citation: hit.citation,
        score: hit.score,
      });
      if (examples.length === limit) return examples;
    }
  }
  return examples;
}

/** A passage contains its code in fences; the rest is the surrounding text. */
function contextOf({ content, metadata }: SearchHit): string {
  const prose = content
    .replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1[`~]*[ \t]*$|(?![\s\S]))/gm, '\n')
    .replace(/\s*\n\s*\n\s*/g, '\n')
    .trim();
  const text = [metadata.context, prose].filter(Boolean).join('\n');
  return text.length <= contextLength ? text : `${text.slice(0, contextLength - 1).toWellFormed()}…`;
}
