/** What the coding agent of the tour writes, and how its work is checked. */
const sailings = [
  { boat: 'Heron', leaves: '07:00' },
  { boat: 'Tern', leaves: '09:30' },
  { boat: 'Heron', leaves: '12:00' },
];

export const boats = { file: 'sailings.json', content: `${JSON.stringify(sailings, null, 2)}\n` };

export const timetable = {
  file: 'TIMETABLE.md',
  /** @param listed the content of `boats.file` */
  from: (listed: string): string =>
    ['# Timetable', '', ...(JSON.parse(listed) as typeof sailings).map(({ leaves, boat }) => `- ${leaves} ${boat}`), ''].join('\n'),
};

/** A program for Node: fails when what is there is wrong. */
export const check = `const { existsSync, readFileSync } = require('node:fs');
const sailings = JSON.parse(readFileSync('${boats.file}', 'utf8'));
const timetable = existsSync('${timetable.file}') ? readFileSync('${timetable.file}', 'utf8') : null;
const missing = timetable === null ? [] : sailings.filter(({ leaves }) => !timetable.includes(leaves));
console.log(sailings.length + ' sailings, ' + missing.length + ' missing in the timetable');
process.exit(sailings.length === ${sailings.length} && missing.length === 0 ? 0 : 1);
`;
