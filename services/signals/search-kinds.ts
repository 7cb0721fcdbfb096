import type { SignalClass } from '../../contracts/signals/signals.ts';
import { terms } from '../../engines/retrieval/terms.ts';

/** Words that ask for a kind of statement, whatever it is about. */
const kinds: { classes: SignalClass[]; words: string }[] = [
  {
    classes: ['churn_risk'],
    words:
      'leave leaves leaving left churn churned churning cancel cancels cancelled cancelling cancellation quit quits quitting switch switches switching threat threaten threatens threatened threatening terminate kündigen kündigt kündigung wechseln cancelar baja résilier résiliation',
  },
  {
    classes: ['bug', 'complaint'],
    words:
      'problem problems trouble troubles issue issues bug bugs error errors broken fail fails failing failure failures crash crashes complain complains complained complaint complaints unhappy annoyed angry frustrated probleme fehler beschwerde beschwerden problemas quejas errores problèmes plaintes',
  },
  {
    classes: ['request'],
    words:
      'request requests requested wish wishes want wants wanted ask asks asked idea ideas suggestion suggestions improvement improvements wünsche wunsch peticiones solicitudes demandes souhaits',
  },
  {
    classes: ['praise'],
    words:
      'praise praises praised love loves loved like likes liked happy satisfied delighted compliment compliments lob zufrieden elogios contentos éloges contents',
  },
  { classes: ['question'], words: 'question questions fragen preguntas' },
];
const meant = new Map<string, SignalClass[]>();
for (const { classes, words } of kinds) for (const word of words.split(' ')) for (const term of terms(word)) meant.set(term, classes);
/** Words of a question that are not its subject. */
const around = new Set(
  'who what which customer customers client clients user users anybody anyone somebody someone say says said tell told about any there have has is are do does wer was welche kunde kunden quién qué clientes qui quels'
    .split(' ')
    .flatMap(terms),
);

export interface Kinds {
  /** Kinds of statements that the query asks for; empty: no particular one. */
  classes: SignalClass[];
  /** Terms of its subject; empty: it asks for the kind alone ("who threatens to leave?"). */
  subject: string[];
}

export function kindsIn(query: string): Kinds {
  const all = [...new Set(terms(query))];
  const classes = [...new Set(all.flatMap((term) => meant.get(term) ?? []))];
  return { classes, subject: classes.length === 0 ? all : all.filter((term) => !meant.has(term) && !around.has(term)) };
}
