import { fillSpans, type SpannedCell } from './tables.ts';
import { attribute, child, children, textOf, type XmlNode } from './xml.ts';

export interface Paragraph {
  text: string;
  /** 0 to 8. */
  level: number;
  mark?: 'bullet' | 'number';
  /** The mark is set at the paragraph itself, not inherited. */
  explicit: boolean;
}

/** @param bulleted whether paragraphs have bullets by default, as in bodies of slides */
export function readTextBody(body: XmlNode | undefined, bulleted = false): Paragraph[] {
  if (body === undefined) return [];
  return children(body, 'p').flatMap((paragraph): Paragraph[] => {
    const text = runsOf(paragraph).trim();
    if (text === '') return [];
    const properties = child(paragraph, 'pPr');
    const level = Math.min(8, Number(attribute(properties, 'lvl') ?? 0) || 0);
    const own = child(properties, 'buAutoNum')
      ? 'number'
      : child(properties, 'buChar') || child(properties, 'buBlip')
        ? 'bullet'
        : undefined;
    const mark = own ?? (bulleted && !child(properties, 'buNone') ? 'bullet' : undefined);
    return [{ text, level, explicit: own !== undefined, ...(mark === undefined ? {} : { mark }) }];
  });
}

function runsOf(node: XmlNode): string {
  return node.children
    .map((each) => {
      if (each.name === 'br') return '\n';
      // Equations have their text in nested runs, with a picture as the alternative.
      if (each.name === 'AlternateContent') return runsOf(child(each, 'Choice') ?? each);
      if (each.name === 't') return textOf(each);
      return /^(r|fld|m|oMath|oMathPara|sSup|sSub|e|sup|sub|num|den|f|d|rad|deg)$/.test(each.name) ? runsOf(each) : '';
    })
    .join('');
}

/** A table's cells; cells covered by a merge repeat its text. */
export function tableRows(table: XmlNode): string[][] {
  const rows = children(table, 'tr').map((row) =>
    children(row, 'tc')
      .filter((cell) => attribute(cell, 'hMerge') !== '1' && attribute(cell, 'vMerge') !== '1')
      .map((cell): SpannedCell => ({
        text: readTextBody(child(cell, 'txBody'))
          .map((each) => each.text)
          .join('\n'),
        columns: Math.min(1000, Number(attribute(cell, 'gridSpan') ?? 1) || 1),
        rows: Math.min(1000, Number(attribute(cell, 'rowSpan') ?? 1) || 1),
      })),
  );
  return fillSpans(rows);
}
