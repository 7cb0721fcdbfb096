/** Completion scripts, generated from the command tree, so that Tab starts no process. */
import type { Command, Option } from 'commander';

interface Node {
  /** For example "tasks ls"; empty for the root command. */
  path: string;
  /** [word, meaning] */
  words: [string, string][];
  files: boolean;
}

function nodes(command: Command, path: string, inherited: readonly Option[]): Node[] {
  const options = [...command.options, ...inherited].filter((option) => !option.hidden && option.long);
  const inner = command.commands.map((child): [string, string] => [child.name(), child.summary() || child.description()]);
  const choices = command.registeredArguments.flatMap((argument) =>
    (argument.argChoices ?? []).map((word): [string, string] => [word, '']),
  );
  const flags = options.map((option): [string, string] => [option.long!, option.description]);
  const own = {
    path,
    words: [...inner, ...choices, ...flags, ['--help', 'show help'] as [string, string]],
    files: command.registeredArguments.some((argument) => argument.name() === 'files'),
  };
  return [own, ...command.commands.flatMap((child) => nodes(child, path ? `${path} ${child.name()}` : child.name(), inherited))];
}

export function completionScript(program: Command, shell: 'bash' | 'zsh' | 'fish'): string {
  const json = program.options.filter((option) => option.long === '--json');
  const [root, ...rest] = nodes(program, '', []);
  const all = [
    root!,
    ...rest.map((node) => ({
      ...node,
      words: [...node.words, ...json.map((option): [string, string] => [option.long!, option.description])],
    })),
  ];
  return { bash, zsh, fish }[shell](
    all,
    rest.map((node) => node.path),
  );
}

/** Joins the words of the line that are commands into the path. */
const findPath = (paths: string[], words: string): string => `  local at='' word
  for word in ${words}; do
    case " ${paths.map((path) => path.replaceAll(' ', '/')).join(' ')} " in *" \${at:+$at/}$word "*) at="\${at:+$at/}$word" ;; esac
  done`;

const bash = (all: Node[], paths: string[]): string => `# signalbox completion for bash
_signalbox() {
${findPath(paths, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  case "$at" in
${all.map((node) => `    '${node.path.replaceAll(' ', '/')}') COMPREPLY=($(compgen ${node.files ? '-f ' : ''}-W '${node.words.map(([word]) => word).join(' ')}' -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`).join('\n')}
  esac
}
complete -o bashdefault -F _signalbox signalbox
`;

const quote = (text: string): string => text.replaceAll("'", "'\\''");

const zsh = (all: Node[], paths: string[]): string => `#compdef signalbox
_signalbox() {
${findPath(paths, '${words[2,CURRENT-1]}')}
  local -a list
  case "$at" in
${all
  .map((node) => {
    const list = node.words.map(([word, meaning]) => `'${quote(`${word}:${meaning.replaceAll(':', ' ')}`)}'`).join(' ');
    return `    '${node.path.replaceAll(' ', '/')}') list=(${list})${node.files ? '; _files' : ''} ;;`;
  })
  .join('\n')}
  esac
  _describe signalbox list
}
if [ "$funcstack[1]" = "_signalbox" ]; then _signalbox "$@"; else compdef _signalbox signalbox; fi
`;

const fish = (all: Node[]): string => `# signalbox completion for fish
complete -c signalbox -f
${all
  .flatMap((node) => {
    const parts = node.path.split(' ').filter(Boolean);
    const children = all
      .filter((other) => other.path.startsWith(node.path ? `${node.path} ` : '') && other.path !== node.path)
      .map((other) => other.path.split(' ')[parts.length]);
    const seen = parts.map((part) => `__fish_seen_subcommand_from ${part}`);
    const unseen = children.length > 0 ? [`not __fish_seen_subcommand_from ${[...new Set(children)].join(' ')}`] : [];
    const when = [...seen, ...unseen].join('; and ') || 'true';
    const files = node.files ? [`complete -c signalbox -n '${when}' -F`] : [];
    return [
      ...node.words.map(
        ([word, meaning]) =>
          `complete -c signalbox -n '${when}' ${word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`} -d '${quote(meaning)}'`,
      ),
      ...files,
    ];
  })
  .join('\n')}
`;
