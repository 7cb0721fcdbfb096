/** Whole requests with their particulars, as people of all trades write them, for tools of customers, the graph, evidence and texts, separated by `; `. They extend the other lists of this folder. */
export const saidOfCustomers: Readonly<Record<string, string>> = {
  'authoring.artifact.generate':
    'write the requirements for the booking calendar; make tickets for the developers out of the complaints about the scanner; draft a one-pager on the ticket machine; a PRD on offline maps, please; write release notes for the new oven control; draft a mail to the hospital that the error is fixed; questions and answers about the new tariff; put a specification together for the return form',
  'authoring.brief.configure':
    'the news summary should come at half past seven and go to Lena as well; we are interested in wheat and energy, add that to the brief; no daily summary on weekends; take trams out of the topics; turn the morning news on; change who receives the brief',
  'authoring.brief.generate':
    'make one page out of these six articles; sum these stories up for the board; what do these press articles mean for our bakery; write a brief from the clippings; condense the given news',
  'authoring.brief.get':
    'show me this morning’s news summary; what was in the brief on the 3rd; read yesterday’s press digest; which articles is the brief based on; open the newest daily brief',
  'authoring.brief.get_settings':
    'when does the morning brief come; for which topics does the brief look; who receives the news summary; is the daily brief on; show how the brief is set up',
  'authoring.brief.list':
    'which briefs were made in May; list the daily summaries; on what days do we have a brief; earlier news digests; all briefs so far',
  'authoring.brief.run':
    'make today’s news summary now; collect the news and write the brief; the brief is missing, run it; do yesterday’s brief again; go through the feeds and sum up what is new; update today’s brief',
  'authoring.draft.get':
    'open the requirements for the booking calendar; show me last week’s digest; read the report that was written on Monday; bring up that one-pager again; show the finished write-up with its sources; let me see an earlier report',
  'authoring.draft.list':
    'which texts have we had written so far; find last month’s digest; list the one-pagers; is the report still being written; all drafts about the ticket machine; older reports, by date',
  'authoring.figure.count':
    'is it true that eleven customers asked for it, as the report says; recount the number in the second paragraph; check the figures of the one-pager; does the percentage still hold; who are the nine in that sentence',
  'authoring.report.generate':
    'write a report on how the hospital is doing with us; make this week’s digest; put together what customers say about our rival; a summary of the quarter for the board; report on the booking area; write up how many customers the outage hit; a paper on where we stand compared with others',
  'authoring.report.get_latest':
    'the newest digest, please; what does the latest report on the hospital say; show the most recent comparison with our rival; open the last weekly report; do we have a fresh report on the booking area',
  'authoring.schedule.list':
    'which reports come by themselves; when does the weekly digest go out; who is sent the hospital report; did the Monday report fail; list regular reports and their recipients',
  'authoring.schedule.remove':
    'stop the monthly report on the hospital; nobody needs the Friday digest any more; delete the automatic report; cancel the regular mailing; end that report’s schedule',
  'authoring.schedule.run':
    'send this week’s automatic report at once; do not wait until Friday with the digest; trigger the regular hospital report; run the scheduled report by hand; make the planned report now',
  'authoring.schedule.save':
    'mail the sales people a digest each Friday; make a report on the hospital every month and send it to Lena; the weekly report should go to Slack; change the time of the automatic report; pause the Friday digest; add somebody to the recipients of the weekly report',
  'authoring.statement.list':
    'where does each sentence of the one-pager come from; show the quotes that the report rests on; which parts of the draft have no source; what did the text leave out; sources of the report, line by line',
  'claim.evidence.link':
    'this interview speaks for our theory; here is a study that contradicts the claim; add the hospital’s mail as support; attach the passage to the hypothesis; note a counter-argument with its source',
  'claim.record.create':
    'I think people leave because of the waiting time; put that up as a claim; our hypothesis: small shops need fewer reports; note an assumption about prices that we will test; let us assert that the scanner is too slow; something to be proved',
  'claim.record.decide':
    'the theory on waiting times is proved, accept it; reject the hypothesis about prices; we need more evidence on that claim; rule on the assumption; the claim does not hold',
  'claim.record.get':
    'what speaks for and against the theory on waiting times; how was the claim about prices decided; show the hypothesis with its evidence; why was that assumption accepted; open one claim',
  'claim.record.list':
    'which theories are we testing; list the claims about the hospital; hypotheses that were rejected; what assumptions are not decided yet; all our claims',
  'entity.alias.add':
    'when people say “the box” they mean the ticket machine; St. Mary’s is another name of the hospital; BB stands for Bakery Brown; add a short form for the product; the customer is also known under its old name; teach the nickname',
  'entity.change.undo':
    'I joined the two bakeries by mistake, take it back; undo my last answer about names; that alias was wrong, revert it; restore both records as they were; reverse the merge',
  'entity.customer.get_profile':
    'what should I know before I meet the hospital; how content is Bakery Brown; everything about this account; what have they complained about lately; which of our functions does the school use; give me the background of a client',
  'entity.feature.get_health':
    'how is the ticket scanner received; do people use the booking calendar; what is wrong with offline maps; state of the return form; how many customers use the export, and are they happy; is the new search a success',
  'entity.issue.flag':
    'three schools report that the scanner freezes, note it as a problem; here is a new defect that customers see; raise the double bookings as an issue; put a fault on record; people cannot pay by card, flag that',
  'entity.issue.get_impact':
    'whom does the double booking hit; how bad is the freezing scanner; are more and more customers affected by the payment error; what does that bug cost us; which accounts suffer from it; how widespread is the problem',
  'entity.link.create':
    'the scanner bug is ticket HW-31 in Jira; the hospital has number 8812 in our CRM; link this customer with its Salesforce record; note the GitHub issue at our problem; remember the outside id',
  'entity.mention.list':
    'where is the hospital mentioned; every passage that names Bakery Brown; show the places where the scanner comes up; who speaks of the school; sentences about that person',
  'entity.merge.confirm':
    'yes, Brown’s and Bakery Brown are one; the proposed pair is the same firm; agree to the merge; both records mean one hospital; confirm the duplicate',
  'entity.merge.reject':
    'no, these are two different schools; the pair does not belong together; do not merge them; same name but another firm; turn the proposed match down',
  'entity.proposal.submit':
    'I believe Brown’s and Bakery Brown are the same, someone should decide; suggest that this record be divided; propose “the box” as a name of the ticket machine; I found a duplicate customer; hand in a merge for review',
  'entity.record.get':
    'show the record of the hospital; which names does the school have; open the entry on Marta Jensen; what sort of thing is “the box”; details of a customer record; look up the person by name',
  'entity.record.list':
    'which hospitals are among our customers; list all the products; people we know at the school; customers with the most feedback; all rivals; show the known problems; every record of type customer',
  'entity.record.split':
    'two schools ended up in one record, separate them; Brown in Leeds is not Brown in York; take the mixed entry apart; the merge of the hospitals was wrong; divide a customer in two',
  'entity.resolution.get_stats':
    'how often does the system join the wrong customers; how good is the recognition of names; what share of duplicates is found automatically; quality of the matching this month; are we asked too often about names',
  'entity.review.get':
    'why do you think Brown’s and Bakery Brown are the same; show the two candidates side by side; what happens if I agree to the match; details on one question about names; how alike are both',
  'entity.review.list':
    'which customers may be doubled; are there questions about names for me; list the unsure matches; what duplicates should I look at; pending decisions on who is who',
  'entity.status.set':
    'the freezing scanner is repaired; the booking calendar is out now; work on the payment error has begun; the problem is back, reopen it; mark a defect as solved',
  'entity.table.link':
    'which rows of these two customer lists mean the same shop; find doubles in the members’ table; match our addresses with the supplier’s list; compare two CSV files without a common number; join both spreadsheets by likeness',
  'entity.type.set':
    'Brown & Sons is a customer, enter it; “the box” is a product and not a problem; note that Quickpay is a rival; a new client: the Riverside school; Marta is a person, not a firm; make this name a feature; register a company as a customer',
  'graph.entity.browse':
    'let me look around the booking area; what is there about schools; wander through what we know on the hospital; show things around the scanner; explore our knowledge',
  'graph.entity.find_related':
    'how is the hospital connected with the scanner problem; what else hangs on the payment error; who appears together with Marta; is there a link between both schools; things related to the booking calendar; people and products that come up with this firm; by what path do they hang together',
  'graph.episode.add':
    'Marta now leads the purchasing department, put that into the graph; the hospital moved to the premium plan on 1 June; it is no longer true that Brown uses the old scanner; the school has 900 pupils, note it as a property; tell the graph that Quickpay bought Paywise; the contract with them has ended; add to our knowledge that the firm sits in Oslo; change an attribute of a company; Lou is not their contact any more',
  'graph.episode.delete':
    'take back what I told the graph about Marta; remove that noted event; the message about the purchase was false, delete it with its facts; erase one episode; the graph should forget this conversation',
  'graph.episode.get':
    'has the graph taken in what I said about Marta; show the noted event; why was my note not processed; where in the queue is it; text of the episode',
  'graph.episode.list':
    'what have people told the graph lately; list noted events; which entries are still waiting; failed additions to the graph; recent episodes',
  'graph.fact.list':
    'everything that was ever true of the hospital, by date; who was in charge at the school, and from when to when; the facts about Marta in order; what no longer holds for Brown; history of a company',
  'graph.fact.search':
    'who was purchasing manager in 2021; where does Marta work now; which firms belong to Quickpay; since when has the hospital been on the premium plan; what held last summer; do they still use the old scanner; which company supplies the school',
  'graph.neighbourhood.get':
    'draw what is around the hospital; show the nodes next to Marta; a picture of the scanner’s connections; more neighbours of this node; the web around the school; who stands next to this firm in the graph',
  'graph.node.search':
    'find the node called Riverside; which things have a name like Brown; is there an entity Quickpay; look for a name in the graph; what does the graph know under that name',
  'graph.projection.rebuild':
    'Neo4j was lost, fill it again; the graph database shows old customers; bring the copy of the graph back in line; write everything into Neo4j anew; repair the graph copy',
  'graph.store.clear':
    'wipe all customers and facts, we start again; empty the graph; delete everything that was learnt about names; throw all entities away; reset the knowledge graph',
  'graph.summary.get':
    'what is this whole thing about, in short; overview of the booking area; how many customers and problems do we know; what moved last month; who is talked of most; sum up the state of our knowledge',
  'insight.count.rebuild':
    'the totals of the heatmap cannot be right, count again; recount everything after the repair; numbers differ between the map and the list; rebuild statistics; fix wrong counts',
  'insight.heatmap.get':
    'which problems bother most customers; what do people wish for most often; where does it hurt; rank the themes by how many speak of them; the ten worst faults; which features are asked for most; problems by area',
  'insight.matrix.get':
    'a table of problems against customers; which school has which problem, as a grid; cross features with accounts; pivot the feedback; rows and columns of complaints',
  'insight.scenario.analyze':
    'whom would it help if we repaired the scanner; what if the return form were dropped; what would a price rise do; compare building offline maps with fixing payments; suppose we close the York branch; which customers would miss it',
  'insight.strategy.generate':
    'which customers are we about to lose; what dangers do you see in the feedback; where are our chances; tell the management what all this means; patterns of the last half year; what should we worry about in the long run',
  'insight.trend.list':
    'are complaints about the scanner on the rise; which topics are new this month; is praise for the calendar growing; what do people talk about less; how has the feeling changed since spring; development over the weeks',
  'opportunity.factor.set':
    'building offline maps takes five weeks, note that; the reach of the return form is larger than computed; put the urgency up; my estimate of the effort; give the idea more weight; change one number of the score; higher confidence for this idea',
  'opportunity.goal.set':
    'this year we care most about schools; our aim is reliable payments; make safety a strategic goal; the strategy is now about offline use; ideas on trams should count more; drop a goal',
  'opportunity.priority.list':
    'what should we build first; rank our ideas; which projects are worth most for the least work; order the roadmap by score; top five things to do for the product; where is the best return',
  'opportunity.record.get':
    'why is the idea of offline maps rated so high; who asked for the return form, in their words; show one idea with its evidence; what became of that request; factors behind the points',
  'opportunity.record.list':
    'which ideas do we have for schools; list everything customers wish for; rejected requests; ideas that were accepted; what could we build; all chances in the booking area; what is asked for by most',
  'opportunity.status.set':
    'we will build offline maps; no to the return form; start looking into the request; that idea is accepted; mark it as planned; decide on the proposal; turn the idea down; take the request up again',
  'opportunity.title.set':
    'call the idea “Maps without network”; the name of this request is misleading, change it; rename an opportunity; better heading for the idea; give it its automatic title back',
  'provenance.chain.trace':
    'where does the number 11 come from; who said that the scanner is slow; prove that schools want it; which interviews stand behind this sentence; is there any evidence for it; lead me back to the source',
  'signal.facet.list':
    'how many complaints about the scanner are there; number of wishes per customer; split the feedback by mood; how much praise did we get; counts by source; how many schools complained; which kinds of statements do we have, in numbers',
  'signal.reading.correct':
    'that call was with the school and not with the hospital; the mail is from 2023; Lou works for us, so those are not customer statements; the wrong firm was assigned to the minutes; say who is who in the interview',
  'signal.reading.get':
    'how did you understand the minutes; what statements did you take from the interview; why did you find nothing in the mail; who speaks for whom in the call; what was skipped while reading',
  'signal.record.correct':
    'that remark is praise and no complaint; this is spam, it should not count as a statement; the problem is not that grave; it was wrongly filed as a wish; throw a statement out; change what kind of feedback it is; not said by a customer, remove it',
  'signal.record.get':
    'show that one remark with what stands around it; who said it and where; similar statements to this one; open a single piece of feedback; how was this remark classified',
  'signal.record.search':
    'what does the school say about the scanner; find complaints about double bookings; who praised the calendar; wishes from hospitals since May; angry remarks on prices; quotes about offline maps; what do people in reviews write; did anybody ask for a dark design',
};
