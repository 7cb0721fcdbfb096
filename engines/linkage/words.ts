/** Words in many names, which distinguish little. */
export const commonWords = new Set(
  (
    'account admin agent ai analytics api app application area bank beta brand bug business button campaign center centre client ' +
    'cloud code config configuration connector core creation customer dashboard data database delivery department design desktop digital ' +
    'division document download edition editor electronic electronics email engine enterprise error experience export extension ' +
    'failure feature feedback field file filter first food form foods game general global home hotel image import industries ' +
    'integration international internet issue item job list login mail main management manager market marketing media menu message ' +
    'mobile mode model module music national network new north notification office one online option order page partner partners ' +
    'payment performance phone plan platform plugin portal power price pricing pro problem process product products program ' +
    'project quality query release report reporting request research response restaurant sales school screen search security ' +
    'server service services setting settings setup shop site slow software solution solutions south speed store support sync ' +
    'system systems table tab task team tech technologies technology test theme ticket time tool tools trading update upload user version ' +
    'video view web website widget workflow world'
  ).split(' '),
);

/** Words that connect a name. */
export const fillers = new Set('of and the a an for in on at to by with from de la le du der die das und et y'.split(' '));

/** Legal forms written out, and endings of web addresses. */
export const longForms = new Set(
  'aktiengesellschaft gesellschaft kommanditgesellschaft sociedad societe anonyme anonima aktiebolag vennootschap publikt com net org se'.split(
    ' ',
  ),
);

/** Short forms of given names. */
const groups = [
  'alexander alex sandy',
  'alexandra alex sandra',
  'andrew andy drew',
  'anthony tony',
  'barbara barb',
  'benjamin ben benny',
  'charles charlie chuck',
  'christine christina chris tina',
  'christopher chris',
  'daniel dan danny',
  'david dave',
  'deborah debbie deb',
  'donald don',
  'edward ed eddie ted',
  'elizabeth liz beth betty lisa',
  'francis frank',
  'frederick fred',
  'gregory greg',
  'henry harry hank',
  'jacob jake',
  'james jim jimmy',
  'jeffrey jeff',
  'jennifer jen jenny',
  'jessica jess',
  'john jack johnny',
  'jonathan jon',
  'joseph joe',
  'joshua josh',
  'katherine catherine kathryn kate kathy cathy katie',
  'kenneth ken',
  'kimberly kim',
  'lawrence larry',
  'margaret maggie meg peggy',
  'matthew matt',
  'michael mike mick',
  'nathaniel nathan nate',
  'nicholas nick',
  'pamela pam',
  'patricia pat patty tricia',
  'patrick pat',
  'peter pete',
  'philip phil',
  'rebecca becky',
  'richard rick dick rich',
  'robert bob rob bobby',
  'ronald ron',
  'samuel sam',
  'samantha sam',
  'stephen steven steve',
  'susan sue susie',
  'theodore ted theo',
  'thomas tom tommy',
  'timothy tim',
  'victoria vicky',
  'vincent vince',
  'walter walt',
  'william will bill billy liam',
];
const given = new Map<string, Set<number>>();
for (const [index, group] of groups.entries()) {
  for (const name of group.split(' ')) given.set(name, (given.get(name) ?? new Set()).add(index));
}

/** Whether both are forms of one given name, e.g. "bob" and "robert". */
export function sameGivenName(a: string, b: string): boolean {
  const left = given.get(a);
  const right = given.get(b);
  return !!left && !!right && [...left].some((group) => right.has(group));
}

export const isGivenName = (word: string): boolean => given.has(word);

/** Weight of a word, 0 to 1, without a corpus: long words are rarer, and some are very common. */
export function wordWeight(word: string): number {
  if (commonWords.has(word) || (word.endsWith('s') && commonWords.has(word.slice(0, -1)))) return 0.35;
  return Math.min(1, 0.4 + 0.1 * word.length);
}
