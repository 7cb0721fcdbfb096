/** How well a clustering agrees with the truth, item by item (B-cubed): precision, recall and their harmonic mean, 0 to 1. */
export function bcubed(found: readonly string[], truth: readonly string[]): { precision: number; recall: number; f: number } {
  let [precision, recall] = [0, 0];
  for (let i = 0; i < found.length; i += 1) {
    let [both, together, meant] = [0, 0, 0];
    for (let j = 0; j < found.length; j += 1) {
      const [a, b] = [found[i] === found[j], truth[i] === truth[j]];
      if (a) together += 1;
      if (b) meant += 1;
      if (a && b) both += 1;
    }
    precision += both / together / found.length;
    recall += both / meant / found.length;
  }
  return { precision, recall, f: (2 * precision * recall) / (precision + recall) };
}
