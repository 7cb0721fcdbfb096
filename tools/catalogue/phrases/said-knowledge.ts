/** Whole requests with their particulars, as people of all trades write them, for tools of documents, search and news, separated by `; `. They extend the other lists of this folder. */
export const saidOfKnowledge: Readonly<Record<string, string>> = {
  'document.content.classify':
    'is this letter a complaint or an order; which of these three kinds is the scan; sort the paper under one of my headings; is it a menu, an invoice or a contract; what type of text have I got here',
  'document.content.parse':
    'what is in this PDF, do not store it; give me the headings of the manual; turn the Word file into plain text; take the scan apart; just read the slides out to me; how is this file structured',
  'document.table.extract':
    'get the price table out of the catalogue PDF; I need the timetable in this file as rows; pull the numbers from the second sheet; the table with the ward’s beds, as data; read the grid on page six',
  'feed.api.fetch':
    'ask the news service for articles on wheat; what does the press API have on trams from today; poll the headlines service; get stories by keyword from the news provider; query the articles interface',
  'feed.article.index':
    'make the collected news findable together with our documents; put the press articles of today into search; let answers quote the stored stories; add the clippings to the library; index what was harvested',
  'feed.article.list':
    'what has the press written about trams since May; which articles have we kept; show news on wheat prices; the most important stories of the week; anything in the papers about our rival; clippings on the flood',
  'feed.article.store':
    'keep these five articles; save the story about wheat prices; store what I found in the papers; put the collected news away, without doubles; add clippings',
  'feed.rss.fetch':
    'what is new on the brewing blog; get the latest posts of the tram magazine; read the feed of the weather office; fetch the newest entries; any fresh posts from that podcast',
  'feed.source.get':
    'does the feed of the tram magazine still work; when did we last read the brewing blog; how is the weather feed set up; why does nothing come from this source; show one news source',
  'feed.source.list':
    'which papers and blogs do we follow; list our news sources; do we read the tram magazine; which feeds are broken; where do we get news from',
  'feed.source.remove':
    'we do not want to read the brewing blog any more; delete the feed of the weather office; drop that magazine; unsubscribe; take a news source out',
  'feed.source.save':
    'follow the brewing blog from now on; add the feed of the tram magazine; the weather office has a new address for its feed; stop reading that paper for a while; add a press service with its key; subscribe us to this site’s news',
  'feed.webpage.fetch':
    'what does the page behind this link say; open the article on wheat prices; read me the website’s text without the adverts; show what is on that page, no need to keep it; who is the author of this post',
  'index.answer.explain':
    'how did you arrive at that answer about the boiler; why did the search show this page first; which documents was your answer built on; show how you looked for it; why should I believe that result; explain the ranking',
  'index.chunk.search':
    'is there anything about boiler pressure in our papers; what do our documents say on holiday pay; have we got something written on bee diseases; look through the manuals for the error code; where is the cancellation period mentioned; who spoke about the tram line in the meeting; find text about allergens; what do we know about lead pipes; do we have material on roof gardens',
  'index.code_example.search':
    'show me how to open a file in Ruby, from our docs; is there sample code for the payment interface; a snippet that sorts a list; how does one call the booking API in Java; code examples for logging in',
  'index.projection.rebuild':
    'Qdrant was lost, fill it again; bring the vector store back in line; deleted pages still turn up in search; write all vectors into Qdrant anew; repair the vector copy',
  'ingest.content.submit':
    'make this text from our shop system searchable; take in the zip with the recipes; index the upload; feed this paragraph in; put whatever I send into search; import the folder of scans',
  'ingest.dlq.abandon':
    'the scan cannot be read, forget it; no further tries for the broken file; close that failed import; give up on the recipe archive; dismiss the item that will not load',
  'ingest.dlq.list':
    'which files could not be read in; why is the recipe book not in search; list failed uploads; what got stuck while importing; documents that were turned away and why; errors while reading files in',
  'ingest.dlq.retry':
    'try the recipe book again; the disk was full, import the failed files once more; give the stuck document another chance; repeat the failed step; run the refused upload again',
  'ingest.document.submit':
    'take the new safety manual in; add the recipe book as a PDF; put this spreadsheet into our library; here is the minutes file, make it findable; upload the contract with the bakery; replace the old price list by this one; read all files in this folder in; feed our e-mails in as files',
  'ingest.pipeline.run':
    'process all documents anew; we changed the embedding model, do it all again; index what has been lying around unprocessed; recompute the vectors of everything; run the processing over the whole library',
  'ingest.run.get':
    'how did this morning’s news harvest go; which errors did the collecting round have; show the record of one harvest; how many articles did that round bring; details of the crawl',
  'ingest.run.list':
    'list the harvests of the week; which collecting rounds failed; did the crawler run on Sunday; past rounds of the news collector; history of harvesting',
  'ingest.run.log':
    'note that my crawl has begun; my collecting round brought 30 articles, write it down; report that the harvest ended with two errors; record a round of fetching; update the record of my harvest',
  'ingest.transcript.submit':
    'here is the recording’s text of our talk with the hospital; add yesterday’s board meeting with who said what; take in the interview as VTT; the call with the bakery, as a transcript; file the minutes of the choir meeting; upload what was said in the Zoom call',
  'ingest.url.submit':
    'read the whole website of the tram company in; make this web page findable; take in the online manual with all its pages; add the page at this address to our library; crawl the supplier’s site; index our wiki by its address',
  'ingest.youtube.submit':
    'take in the talk about bees on YouTube; make that video’s words searchable; add the captions of the lecture; what is said in the clip should be findable; import a YouTube link',
  'knowledge.base.create':
    'make a separate collection for the recipes; the patients’ leaflets should have their own library; open a new space for contracts; start an empty knowledge base for the museum; keep the choir’s papers apart',
  'knowledge.base.delete':
    'throw the whole recipe collection away; delete the library of the museum with everything in it; the space for contracts is not needed any more; remove a knowledge base; wipe that collection',
  'knowledge.base.list':
    'which collections do we have; how big is the recipe library; list the spaces with documents; is there a base for contracts; name all knowledge bases',
  'knowledge.base.query':
    'look only in the recipes: how long does rye bread bake; ask the contracts library about notice periods; search the museum collection for amphoras; find it within this one space; what does the choir’s collection say on fees',
  'knowledge.document.get':
    'open the safety manual and let me read it; what comes after the quoted paragraph; show the chapters of the recipe book; read the whole minutes; turn to page 12 of the report; show the full letter',
  'knowledge.passage.get':
    'open the place that this footnote refers to; what exactly is written at the citation; show me the quoted paragraph; check the quote against its source; original words behind the reference',
  'knowledge.source.delete':
    'take the old safety manual out of search; delete the minutes of May; the recipe book must not turn up any more; remove a file from the library; get rid of this document for good',
  'knowledge.source.get':
    'is the safety manual in the library, and since when; how many parts does the recipe book have; why could this file not be read; who added the minutes; data about one document',
  'knowledge.source.list':
    'which documents do we have on bees; list everything in the library; what was added this week; do we have the minutes of May; show all PDFs; files with the tag safety; is there any document about trams among ours',
  'knowledge.source.update':
    'call the file “Safety manual 2025”; tag the minutes with board; this document is more important than the rest; fix the title of the recipe book; add a description to the leaflet',
};
