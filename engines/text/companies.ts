import { apostrophes, entities, hasHan, latin } from './scripts.ts';

/** Pure: names of companies without legal forms, in one spelling of numbers and common words. */

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Legal forms at the end. Initials are written as one word. */
const forms = set(
  'inc incorporated corp corporation co company cos ltd limited llc llp lllp lp plc pllc pc gmbh mbh ag kg kgaa ohg ug gbr ev se sa sas sasu sarl eurl ' +
    'snc spa srl srls sapa bv nv vof oy oyj ab as asa aps hf ehf sia uab ou ad ead ood eood doo dd zrt kft nyrt sro spzoo spk spj ' +
    'pty pvt pte bhd sdn pt tbk kk gk yk ooo oao zao pao ao tov ltda eireli sl slu sab sadecv sapidecv epe lda ' +
    'aktiengesellschaft kommanditgesellschaft aktiebolag aktiebolaget aktieselskab anpartsselskab aksjeselskap osakeyhtio kabushikikaisha kabushikigaisha ' +
    'holding holdings group gesellschaft',
);
/** Those that stand first as well: "OOO Romashka", "AB Volvo". */
const before = set('ooo oao zao pao ao tov pt ab as sia uab kabushikikaisha kabushikigaisha firma');

/** Written-out forms, without accents and spaces as one word each. */
const phrases: readonly (readonly string[])[] = [
  'gesellschaft mit beschrankter haftung',
  'gesellschaft mit beschraenkter haftung',
  'societe anonyme',
  'societe par actions simplifiee',
  'societe a responsabilite limitee',
  'sociedad anonima de capital variable',
  'sociedad anonima',
  'sociedad limitada',
  'sociedad de responsabilidad limitada',
  'sociedade anonima',
  'societa per azioni',
  'societa a responsabilita limitata',
  'besloten vennootschap',
  'naamloze vennootschap',
  'spolka z ograniczona odpowiedzialnoscia',
  'spolka akcyjna',
  'spolecnost s rucenim omezenym',
  'akciova spolecnost',
  'obshchestvo s ogranichennoy otvetstvennostyu',
  'publichnoe aktsionernoe obshchestvo',
  'otkrytoe aktsionernoe obshchestvo',
  'zakrytoe aktsionernoe obshchestvo',
  'aktsionernoe obshchestvo',
  'tovaristvo z obmezhenoyu vidpovidalnistyu',
  'anonim sirketi',
  'limited sirketi',
  'anonymi etaireia',
  'kabushiki kaisha',
  'kabushiki gaisha',
  'limited liability company',
  'limited liability partnership',
  'public limited company',
  'sp z oo',
  'sp zoo',
  's a de c v',
  'sa de cv',
].map((phrase) => phrase.split(' '));

/** Legal forms of scripts without spaces; they stand first or last. */
const attached =
  /^(?:株式会社|有限会社|合同会社|合名会社|合資会社|一般社団法人|주식회사|유한회사|\(주\)|\(株\)|㈱)+|(?:(?:股份|责任|責任|集团|集團|控股)*(?:有限)?(?:责任|責任)?公司|株式会社|有限会社|合同会社|주식회사|유한회사|\(주\)|\(株\)|㈱)+$/gu;

/** Common words of company names in scripts without spaces. */
const common: readonly (readonly [string, string])[] = (
  '技术=technology 技術=technology 科技=technology 电子=electronics 電子=electronics 전자=electronics 自動車=motor 汽车=motor 汽車=motor 자동차=motor ' +
  '银行=bank 銀行=bank 은행=bank 集团=group 集團=group グループ=group 그룹=group 控股=holdings ホールディングス=holdings 홀딩스=holdings ' +
  '保险=insurance 保險=insurance 保険=insurance 보험=insurance 网络=network 網絡=network 通信=communications 통신=communications ' +
  '製薬=pharmaceutical 制药=pharmaceutical 제약=pharmaceutical 石油=petroleum 航空=airlines 항공=airlines 建設=construction 建设=construction 건설=construction ' +
  '重工業=heavy industries 重工=heavy industries 중공업=heavy industries 化学=chemical 화학=chemical 工業=industries 工业=industries 製鉄=steel 钢铁=steel 제철=steel ' +
  '電機=electric 電気=electric 电气=electric 生命=life 생명=life 食品=foods 식품=foods 証券=securities 证券=securities 증권=securities ' +
  '日本=japan ジャパン=japan 中国=china 韓国=korea 한국=korea 国际=international 國際=international 国際=international 국제=international'
)
  .split(/ (?=[^\u0000-\u007f])/)
  .map((entry) => entry.split('=') as [string, string])
  .flatMap(([own, english]) => {
    // Keys of names have lost the marks of Japanese letters (nameKey).
    const bare = own
      .normalize('NFKD')
      .replace(/[\u3099\u309a]/g, '')
      .normalize('NFC');
    return [[own, english] as const, ...(bare === own ? [] : [[bare, english] as const])];
  });

/** One spelling of short forms, plurals, numbers and ordinals. */
const spelling: Record<string, string> = Object.fromEntries(
  (
    'intl international,int international,natl national,mfg manufacturing,manuf manufacturing,mfrs manufacturers,tech technology,technologies technology,' +
    'techs technology,svc services,svcs services,serv services,service services,sys systems,system systems,grp group,bros brothers,brother brothers,' +
    'assoc associates,assn association,mgmt management,mgt management,univ university,inst institute,ctr center,centre center,hldg holdings,hldgs holdings,' +
    'ind industries,inds industries,industry industries,eng engineering,engrg engineering,lab laboratories,labs laboratories,laboratory laboratories,' +
    'pharma pharmaceuticals,pharmaceutical pharmaceuticals,comm communications,comms communications,communication communications,telecom telecommunications,' +
    'prod products,prods products,product products,dist distribution,elec electric,electronic electronics,ins insurance,fin financial,invest investments,' +
    'investment investments,dev development,constr construction,corp corporation,govt government,hosp hospital,motors motor,chem chemical,chemicals chemical,' +
    'solution solutions,solns solutions,sol solutions,ent enterprises,enterprise enterprises,partner partners,resource resources,ltd limited,' +
    '1st first,2nd second,3rd third,4th fourth,5th fifth,6th sixth,7th seventh,8th eighth,9th ninth,10th tenth,' +
    'zero 0,one 1,two 2,three 3,four 4,five 5,six 6,seven 7,eight 8,nine 9,ten 10,eleven 11,twelve 12'
  )
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
);

const joining = set('and und et y e i og och en and the of de');

/**
 * @param name in any script and case; punctuation counts as spaces
 * @param keepHan see `latin`
 * @returns words that identify the company, or all words when nothing else is left
 */
export function companyName(name: string, keepHan = false): string {
  const plain = latin(spaced(name), keepHan).replace(entities, ' ').replace(apostrophes, '').replace(/&/g, ' and ');
  const words = initials(plain.match(/[\p{L}\p{N}]+/gu) ?? []);
  const core = withoutForms(words);
  const kept = core.filter((word, i) => !joining.has(word) || (word.length === 1 && i === 0));
  return (kept.length > 0 ? kept : core).map((word) => (Object.hasOwn(spelling, word) ? spelling[word]! : word)).join(' ');
}

/** Separates what other scripts attach. */
function spaced(name: string): string {
  const text = name.normalize('NFKC');
  if (!hasHan(text) && !/[\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)) return text;
  const bare = text
    .split(/\s+/)
    .map((word) => word.replace(attached, ' '))
    .join(' ')
    .trim();
  let found = bare === '' ? text : bare;
  for (const [own, english] of common) if (found !== own) found = found.replaceAll(own, ` ${english} `);
  return found;
}

/** "s a" and "g m b h" are written as one word. */
function initials(words: readonly string[]): string[] {
  const found: string[] = [];
  let run = '';
  for (const word of [...words, '']) {
    if (word.length === 1 && /[a-z]/.test(word)) {
      run += word;
      continue;
    }
    if (run !== '') found.push(run);
    run = '';
    if (word !== '') found.push(word);
  }
  return found;
}

/** The name without forms at both ends; at least one word stays. */
function withoutForms(words: readonly string[]): string[] {
  let [from, to] = [0, words.length];
  for (let changed = true; changed;) {
    changed = false;
    const phrase = phrases.find((each) => ends(words, from, to, each) || starts(words, from, to, each));
    if (phrase && to - from > phrase.length) {
      if (ends(words, from, to, phrase)) to -= phrase.length;
      else from += phrase.length;
      changed = true;
    } else if (to - from > 1 && forms.has(words[to - 1]!)) {
      to--;
      changed = true;
    } else if (to - from > 1 && (words[to - 1] === 'and' || words[to - 1] === '&')) {
      // "Merck & Co."
      to--;
      changed = true;
    } else if (to - from > 1 && before.has(words[from]!)) {
      from++;
      changed = true;
    }
  }
  return words.slice(from, to);
}

const ends = (words: readonly string[], from: number, to: number, phrase: readonly string[]): boolean =>
  to - from > phrase.length && phrase.every((word, i) => words[to - phrase.length + i] === word);
const starts = (words: readonly string[], from: number, to: number, phrase: readonly string[]): boolean =>
  to - from > phrase.length && phrase.every((word, i) => words[from + i] === word);

/** Forms that are nothing else: their share tells a column of companies. */
const telling = set(
  'inc incorporated corp corporation ltd limited llc llp plc gmbh kgaa sarl pty pvt pte bhd oyj aps spzoo kft zrt doo ooo oao zao ltda company sadecv srl',
);
const tellingForm = /有限公司|株式会社|주식회사|\(株\)|㈱/u;

/** Whether the name has a legal form that is no other word. */
export function hasLegalForm(name: string): boolean {
  if (tellingForm.test(name)) return true;
  const words = initials(latin(name).match(/[\p{L}\p{N}]+/gu) ?? []);
  return (
    words.length > 1 && (telling.has(words.at(-1)!) || telling.has(words[0]!) || phrases.some((each) => ends(words, 0, words.length, each)))
  );
}

/** First letters of a normalised name of 2 to 6 words, e.g. "ibm"; null for others. */
export function initialsOf(name: string): string | null {
  const words = name.split(' ');
  return words.length >= 2 && words.length <= 6 ? words.map((word) => String.fromCodePoint(word.codePointAt(0)!)).join('') : null;
}
