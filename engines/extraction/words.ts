/** Word lists in lower case: words that cannot be names, and words that show a name's type. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Function words: no name begins or ends with one, and they distinguish English from other languages. */
export const stopWords = words(`
a about above across after again against all almost alone along already also although always am among an and another any anybody
anyone anything anyway are aren't around as at away back be became because become been before behind being below between both but by
came can can't cannot come could couldn't did didn't do does doesn't doing don't done down during each either else enough even ever
every everybody everyone everything except few for from further gave get gets getting give given go goes going gone got had hadn't has
hasn't have haven't having he he'd he'll he's hence her here here's hers herself him himself his how however i i'd i'll i'm i've if in
indeed instead into is isn't it it'd it'll it's its itself just keep kept let let's like likely made make makes making many may maybe
me meanwhile might mine more moreover most mostly much must mustn't my myself near nearly neither never nevertheless no nobody none nor
not nothing now nowhere of off often oh ok okay on once one only onto or other others otherwise ought our ours ourselves out over own
per perhaps please put quite rather really said same saw say says see seem seemed seems seen several shall she she'd she'll she's should
shouldn't since so some somebody somehow someone something sometimes somewhere still such take taken than that that's the their theirs
them themselves then there there's therefore these they they'd they'll they're they've this those though through throughout thus to
together too took toward towards two under unless until up upon us very via was wasn't we we'd we'll we're we've well went were weren't
what what's whatever when whenever where whereas wherever whether which while who who's whoever whole whom whose why will with within
without won't would wouldn't yes yet you you'd you'll you're you've your yours yourself yourselves
im ive dont doesnt didnt cant wont isnt wasnt id ill thats whats theres youre theyre hes shes weve 'm 're 've 'll 's`);

/** Words that begin sentences but never names. */
export const openers = words(`
absolutely accordingly actually additionally afterwards alternatively apparently arguably basically besides briefly certainly clearly
consequently currently definitely despite due earlier especially essentially eventually evidently exactly finally first firstly following
formerly fortunately frankly generally gradually hello hence hey hi historically honestly hopefully ideally immediately importantly
including incidentally increasingly initially interestingly lastly later lately legally locally luckily mainly nonetheless normally
notably obviously occasionally officially originally overall particularly personally possibly presently presumably previously primarily
probably recently regarding regardless regularly reportedly second secondly seriously shortly significantly similarly simply sincerely
soon sorry specifically subsequently suddenly supposedly surely technically thank thanks third thirdly today tomorrow tonight
traditionally typically ultimately unfortunately unlike usually versus yesterday yeah yep yup nope um uh uhm hmm mm mhm ah aha oops
wow ouch gosh nah huh kay 'kay mkay mm-hmm mhm uh-huh uh-uh uh-oh aye yah ya ha haha hee eh er erm hmmm alright hooray dear regards cheers welcome congratulations goodbye bye sure according based given depending considering
concerning assuming provided compared starting ending beginning using thanks further next last whenever unlike`);

/** Plain words that people capitalize in headings, forms and menus: not names, alone or combined. */
export const plainWords = words(`
ability able access account accounts action actions active activity add added address admin administrator advice age agenda agent agents
agree alert alerts amount analysis announcement answer answers app appendix application applications apps area areas article articles
ask attachment author available average bad balance base basic best better beta big bill billing black blank blog blue board body book
boss bottom box brand break bring browser budget bug bugs build building business button buttons buy call calls cancel car card care
cart case cases cash category cause cell center central chair chairman change changes chapter chart chat check checkout child children
choice choose city class clean clear click client clients close closed cloud code collection color colour column comment comments common
community companies company complete computer conclusion condition conditions conference confirm connect consumer contact content
contents context continue contract control copy copyright correct cost costs count country county course court cover create created
credit current custom customer customers daily dashboard data database date dates day days deadline deal debit decision default delete
delivery demo department description design desktop detail details developer developers development device devices difference different
digital director discount discussion display division doctor document documentation documents domain door double download draft drive
early east eastern easy edit edition editor education effect email emails employee empty end engine engineer engineering enter entire
entry environment error errors event events evidence example examples excellent exit experience expert export extra face fact factor
family fantastic fast father feature features feedback feel field figure file files fill filter final find fine finish fix fixed flat
folder folks follow food footer force form format forum forums found free french fresh friend friends full fun function functional future
game games gave gender general girl glad global goal goals good government great green group groups growth guest guide guy guys half hand
happy hard hate head header headquarters health help high higher history hit hold home hope host hot hour hours house html human icon
idea ideas image images impact implementation import important improvement inbox inc include income index individual industry info
information input inside install installation instance instructions insurance integration interesting interface internal international
internet introduction inventory invoice issue issues item items job jobs join june key keyboard keys kids kind know label language large
late latest launch law layout lead leader leadership learn leave left legal length less lesson level library license life light limit
line link links list lists live load local location log login logo logout long look looking lost lot love low lower mail main maintenance
major male man management manager mark market marketing master material math max maximum means measure media meeting member members
memory men menu message messages method middle military minimum minor minute minutes miss missing mission mobile mode model modern
module money monitor month monthly months morning mother motion move movie music name names national native natural need needs negative
net network new newer news newsletter nice night noon normal north northern note notes notice notification notifications number numbers
objective offer office officer official old older online open opening operation operations option optional options order orders
organization original outside overview owner pack package page pages paid panel paper paragraph parent part parts party password past
patient pay payment payments pending people percent perfect performance period permission person personal phone photo photos picture
piece place plan plans platform play player point points policies policy poor popular population position positive possible post posts
power practice premium present presentation president press preview price prices pricing primary print prior priority privacy private
problem problems procedure process product production products profile program programme programming programs progress project projects
proposal provider public purchase purpose push quality quarter query question questions quick quickly quit quote random range rate rating
ratings raw read reader ready real reason reasons receipt recent recommend recommended record records recovery red reference refund
region register registration related relationship release releases remember remote remove reply report reports request requests
required requirement requirements research reset resource resources response restaurant result results resume retail return returns
revenue review reviews right rights risk road role room rule rules run running safe safety sale sales sample satisfaction save scale
schedule school science scope score screen screens search season seat secret secretary section sector secure security select self send
senior series server service services session set setting settings setup several share shipping shop short show side sign signal signup
simple single site sites size skip slide slides slow small social society software solution solutions someone song sort sound source
sources south southern space speaker special specific speed sport staff stage standard star start state statement states stations
status stay step steps still stock stop store stories story strategy street strong student students study stuff style subject submit
subscribe subscription subtotal success suggestion suggestions summary super supplier support survey switch sync system systems tab table
tablet tag tags talk target task tasks tax teacher team teams tech technical technology template templates term terms terrible test
testing tests text thing things ticket tickets tier time timeline times tip tips title tool tools top topic topics total touch tour town
track trade traffic train training transaction transfer translation travel trial trip trouble true trust try turn tutorial tutorials
type types uncle understand undo unit units university unknown unsubscribe update updated updates upgrade upload usage use used useful
user username users using utility vacation valid value values vendor verify version versions vice video videos view views village
virtual visit voice volume vote wait walk wall want war warning warnings watch water way web website week weekend weekly welcome west
western white wide wife win window winner winter woman women wonderful word words work worker workers workflow working works workshop
world worse worst write writing wrong year yearly years yellow young
addition advantage anyone's autumn awesome beautiful besides bonus brilliant children's cool deleted downloaded dude facts fall garbage
god guess happened hated honest hours installed junk lately liked literally loved lol loving male man mom moms dad nobody's omg
otherwise overpriced pathetic pc pity pleasant pleased plenty plus ps quick rubbish ruined sad sadly sister smooth sooo spring summer
stupid suggest superb tried trash tried ugh unable uninstalled uninstalling untrue upset useless wasted waste weird wished wish wishing
yay lady sir madam ma'am gentlemen ladies buddy bro mate lord
part section chapter figure table page note appendix volume row sheet slide column item
spaces tabs null true false none undefined json xml http https url uri html css pdf csv txt faq id ok tbd tba asap fyi etc eta rsvp
am pm gmt utc est pst cet edt pdt am/pm bc ad ce bce
yes no n/a na
  one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million billion first second third
  euro euros pound pounds dollar dollars cent cents percent`);

export const calendarWords = words(`
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
mon tue tues wed thu thur thurs fri sat sun spring summer autumn winter christmas easter halloween thanksgiving q1 q2 q3 q4`);

/** Peoples and languages: adjectives, not names. */
export const demonyms = words(`
african albanian algerian american americans arab arabic argentine argentinian armenian asian australian austrian bangladeshi basque
belgian bengali bolivian bosnian brazilian british bulgarian cambodian canadian catalan caribbean chilean chinese christian christians
colombian croatian cuban czech danish dutch egyptian english estonian ethiopian european europeans filipino finnish french georgian
german germans greek hawaiian hebrew hindi hindu hungarian icelandic indian indians indonesian iranian iraqi irish islamic israeli
italian italians jamaican japanese jewish jews kenyan korean latin latvian lebanese lithuanian malaysian maltese mexican mongolian
moroccan muslim muslims nepali nigerian norwegian pakistani palestinian persian peruvian polish portuguese roman romanian romans russian
russians saudi scandinavian scottish serbian slovak slovenian spanish sunni swedish swiss syrian taiwanese thai tibetan turkish
ukrainian urdu venezuelan vietnamese welsh catholic catholics protestant democratic republican soviet`);

/** Before a person's name, but not part of it. */
export const honorifics =
  words(`mr mrs ms miss mx dr prof professor sir dame lady lord st saint rev reverend father sister brother fr herr frau
mme sgt lt col gen maj capt cpl cmdr adm hon sen rep gov`);

/** Roles of people, before a name or in apposition. */
export const roleWords = words(`
president vice-president chairman chairwoman chairperson ceo cto cfo coo cmo cio ciso cpo cro vp svp evp founder cofounder co-founder owner
director manager engineer developer designer analyst consultant architect lead head chief officer secretary minister governor mayor senator
congressman congresswoman ambassador judge justice king queen prince princess emperor empress pope bishop archbishop cardinal general
colonel captain lieutenant commander admiral major sergeant coach professor doctor nurse author writer novelist poet playwright
screenwriter journalist editor actor actress singer songwriter rapper musician guitarist drummer bassist pianist composer producer
filmmaker director artist painter sculptor photographer model footballer cricketer player politician lawyer attorney scientist physicist
chemist biologist mathematician economist historian philosopher astronaut aviator explorer businessman businesswoman entrepreneur
investor philanthropist activist comedian presenter host broadcaster dancer choreographer quarterback pitcher wrestler boxer swimmer
cyclist runner golfer driver pm chancellor principal dean spokesman spokeswoman spokesperson administrator specialist recruiter
accountant intern tester qa sre scrum-master marketer representative rep agent
wrestler martial bodybuilder skater skier gymnast jockey umpire referee cartoonist illustrator animator chef fashion critic blogger youtuber
merchant soldier spy saint theologian monk priest missionary warrior ruler sultan duke duchess earl baron count countess nobleman
librarian archaeologist anthropologist sociologist psychologist psychiatrist physician surgeon veterinarian botanist zoologist
astronomer geologist inventor programmer voice-actor impressionist magician bandleader lyricist conductor soprano tenor cellist violinist
socialite heiress criminal murderer gangster outlaw`);

/** Roles of colleagues and business partners: in texts about work they are stakeholders. */
export const workRoles = words(`
president vice-president ceo cto cfo coo cmo cio ciso cpo cro vp svp evp founder cofounder co-founder owner director manager engineer developer
designer analyst consultant architect lead head chief officer pm specialist recruiter accountant tester qa sre administrator admin
marketer representative rep buyer champion sponsor stakeholder controller`);

const organizationWords = `
inc incorporated corp corporation co company ltd limited llc llp plc gmbh ag se sa spa bv nv oy ab pty university college institute institution school
academy bank group agency ministry department committee association federation union society foundation council commission party
parliament congress senate assembly court church diocese museum hospital library orchestra symphony choir theatre theater studios studio records
recordings press publishing publications pictures entertainment productions media network broadcasting airlines airways railway
railways railroad fc afc cf united rovers club league team brigade regiment battalion squadron army navy police guard authority board
bureau organization organisation alliance coalition trust fund partners ventures capital holdings industries technologies systems
solutions labs laboratories software motors brewing brewery hotels restaurants stores supermarkets newspapers orchestra ensemble band
brothers consortium cooperative enterprise enterprises international consulting analytics logistics pharmaceuticals energy insurance
conference championship`;
export const organizationEnds = words(organizationWords);
export const legalForms = words('inc incorporated corp corporation ltd limited llc llp plc gmbh ag se sa spa bv nv oy ab pty');

const placeWords = `river lake island islands county city town village mountain mountains mount street avenue road boulevard park bay gulf valley
district province peninsula airport bridge ocean sea desert forest beach square hills hill heights station harbor harbour castle palace
cathedral township parish municipality region republic kingdom empire territory state states coast falls canyon creek stadium arena
borough strait cape plateau basin canal reservoir highway oblast prefecture`;
export const placeEnds = words(placeWords);
export const placeStarts = words(
  'lake mount mt port fort cape san santa santo saint st los las new north south east west upper lower grand el rio',
);

/** Heads of "X is a … head", with the type of X. */
export const definingHeads: ReadonlyMap<string, string> = new Map([
  ...[...roleWords, 'person', 'man', 'woman', 'child', 'king', 'member', 'leader'].map((word) => [word, 'person'] as const),
  ...[
    ...words(placeWords),
    'capital',
    'country',
    'commune',
    'suburb',
    'neighborhood',
    'neighbourhood',
    'hamlet',
    'settlement',
    'locality',
    'archipelago',
    'continent',
    'census-designated',
    'seaport',
    'metropolis',
    'building',
    'house',
    'courthouse',
    'hotel',
    'tower',
  ].map((word) => [word, 'place'] as const),
  ...[
    ...words(organizationWords),
    'firm',
    'manufacturer',
    'retailer',
    'startup',
    'channel',
    'charity',
    'developer',
    'publisher',
    'label',
    'duo',
    'trio',
    'quartet',
    'group',
    'newspaper',
    'nonprofit',
    'brand',
    'chain',
    'airline',
    'subsidiary',
    'conglomerate',
    'provider',
    'organisation',
    'seminary',
    'government',
    'tribe',
  ].map((word) => [word, 'organization'] as const),
  ...[
    ...words(
      'film movie album song single novel book series episode play opera musical poem painting sculpture magazine journal soundtrack documentary sitcom comic manga anime symphony ep mixtape anthology memoir biography show sequel ballet hymn short story drama comedy thriller franchise trilogy',
    ),
  ].map((word) => [word, 'work'] as const),
  ...[
    ...words(
      'product app application phone smartphone tablet console device framework programming engine platform tool library database browser car aircraft airliner locomotive ship rifle tank drug medication beer wine drink cheese vehicle motorcycle camera microprocessor chip protocol plugin operating',
    ),
  ].map((word) => [word, 'product'] as const),
]);

/** Countries, states and cities that texts name without explanation. */
export const places: ReadonlySet<string> = new Set(
  `afghanistan|albania|algeria|argentina|armenia|australia|austria|azerbaijan|bangladesh|belarus|belgium|bolivia|bosnia|brazil|bulgaria|cambodia|cameroon|canada|chile|china|colombia|congo|costa rica|croatia|cuba|cyprus|czech republic|denmark|ecuador|egypt|england|estonia|ethiopia|europe|finland|france|georgia|germany|ghana|greece|greenland|guatemala|haiti|hong kong|hungary|iceland|india|indonesia|iran|iraq|ireland|israel|italy|jamaica|japan|jordan|kazakhstan|kenya|korea|kosovo|kuwait|latvia|lebanon|libya|lithuania|luxembourg|madagascar|malaysia|malta|mexico|moldova|mongolia|montenegro|morocco|myanmar|nepal|netherlands|new zealand|nicaragua|nigeria|norway|oman|pakistan|palestine|panama|paraguay|peru|philippines|poland|portugal|puerto rico|qatar|romania|russia|rwanda|scotland|senegal|serbia|singapore|slovakia|slovenia|somalia|south africa|south korea|north korea|spain|sri lanka|sudan|sweden|switzerland|syria|taiwan|tanzania|thailand|tunisia|turkey|uganda|ukraine|united arab emirates|united kingdom|united states|united states of america|uruguay|uzbekistan|venezuela|vietnam|wales|yemen|zambia|zimbabwe|asia|africa|north america|south america|antarctica|middle east|usa|us|u s|u s a|uk|u k|uae|eu|soviet union|yugoslavia|czechoslovakia|alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|west virginia|wisconsin|wyoming|ontario|quebec|british columbia|alberta|new south wales|queensland|bavaria|catalonia|tuscany|sicily|normandy|london|paris|berlin|munich|hamburg|frankfurt|cologne|vienna|zurich|geneva|amsterdam|rotterdam|brussels|antwerp|copenhagen|oslo|stockholm|helsinki|dublin|edinburgh|glasgow|manchester|liverpool|birmingham|cambridge|oxford|madrid|barcelona|valencia|lisbon|porto|rome|milan|naples|venice|florence|turin|athens|istanbul|ankara|moscow|st petersburg|saint petersburg|kyiv|kiev|warsaw|krakow|prague|budapest|bucharest|belgrade|sofia|zagreb|new york city|los angeles|chicago|houston|phoenix|philadelphia|san antonio|san diego|dallas|san jose|austin|san francisco|seattle|denver|boston|detroit|nashville|portland|las vegas|baltimore|milwaukee|atlanta|miami|minneapolis|cleveland|new orleans|pittsburgh|cincinnati|orlando|toronto|montreal|vancouver|ottawa|calgary|mexico city|bogota|lima|santiago|buenos aires|sao paulo|rio de janeiro|havana|cairo|lagos|nairobi|johannesburg|cape town|casablanca|dubai|abu dhabi|riyadh|tehran|baghdad|jerusalem|tel aviv|mumbai|delhi|new delhi|bangalore|bengaluru|chennai|kolkata|hyderabad|karachi|lahore|islamabad|dhaka|bangkok|hanoi|jakarta|manila|kuala lumpur|tokyo|osaka|kyoto|seoul|beijing|shanghai|shenzhen|guangzhou|taipei|sydney|melbourne|brisbane|perth|auckland|wellington|washington d c|washington dc|hollywood|manhattan|brooklyn|silicon valley`.split(
    '|',
  ),
);

/** Given names that begin a person's name; incomplete. */
export const givenNames = words(`
aaron adam adrian ahmed aisha alan albert alex alexander alexandra alfred ali alice alicia allen amanda amir amy ana andre andrea andreas
andrew angela anna anne annie anthony antonio anya arjun arthur ashley barbara beatrice ben benjamin bernard beth betty bill bob bobby
brandon brian bruce bryan carl carla carlos carol caroline catherine charles charlie charlotte chen chloe chris christian christina
christine christopher claire clara claudia craig cynthia dan daniel daniela dave david deborah dennis diana diego dmitri don donald donna
dorothy doug douglas dylan edgar edward edwin elena eleanor elizabeth ella ellen emily emma eric erica erik ernest esther ethan eugene eva
evelyn fatima felix fernando fiona florence frances francis francisco frank franz fred frederick friedrich gabriel gary george gerald
gerard gina giovanni grace greg gregory guy hannah hans harold harriet harry hassan heather hector heinrich helen henri henry herbert
howard hugh hugo ian ibrahim igor ingrid irene isaac isabel ivan jack jackie jacob jacques jake james jamie jan jane janet jason jay jean
jeff jeffrey jennifer jeremy jerry jesse jessica jill jim jimmy joan joe joel johan johann john johnny jon jonathan jordan jorge jose joseph
josh joshua juan judith judy julia julian julie justin karen karl kate katherine kathleen kathy katie keith kelly ken kenji kenneth kevin kim
kumar kyle larry laura lauren lawrence lee leo leon leonard leslie lewis li liam linda lisa liz louis louise lucas lucy luis luke maggie
mahmoud manuel marc marco marcus margaret maria marie mario marion marjorie mark martha martin marvin mary matt matthew maurice max megan
mei melissa mia michael michel michelle miguel mike mohamed mohammed molly monica nancy naomi natalie natasha nathan neil nicholas nick nicolas
nicole nina noah nora norman oliver olivia omar oscar otto pablo pamela patricia patrick paul paula pedro peggy penny pete peter phil
philip philippe priya rachel rafael raj ralph ravi ray raymond rebecca ricardo richard rick rita rob robert roberto robin rodney roger ron
ronald rosa rose ross roy russell ruth ryan sally sam samantha samuel sandra sara sarah scott sean sebastian sergei sergio sharon shirley
simon sofia sophia sophie stanley stefan stella stephanie stephen steve steven stuart sue susan suzanne sven sylvia tara ted teresa terry
thomas tim timothy tina todd tom tommy tony tracy ursula vanessa vera victor victoria vincent viktor virginia vladimir walter wanda wayne wei
wendy werner wilhelm william willie wolfgang xavier yan yuki yusuf zachary zoe`);

/** Stop words of German, French and others. */
export const foreignWords = words(`
der die das und ist nicht ein eine einen mit für von auf dem den des sich auch werden wird haben sind wir ich sie nach bei zum zur aus noch
le la les des est une dans pour que qui sur avec pas plus nous vous ils elle sont cette ces ont être mais ou où très aux leur
el los las una por con para del como pero más este esta son muy nos fue hay ser todo también desde
il lo gli che di per non sono della nel alla è più anche come questo quando perché
o os uma não com em do da dos das mais foi ao pelo seu sua são você
het een van niet zijn voor met maar ook naar wordt heeft deze dit
och att som är inte jag på av har till men det kan
og ikke jeg til er på som
bir ve bu için ile çok daha olarak
się nie jest na że jak przez dla oraz są`);
