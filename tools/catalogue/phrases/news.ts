/** Phrases of people who need a tool, with words that its name and description lack, separated by `; `. */
export const news: Readonly<Record<string, string>> = {
  'authoring.brief.generate':
    'I have ten clippings, boil them down for the board; turn these press items into a page for the boss; which of these stories matter and why; management summary of what I collected',
  'authoring.brief.run':
    'what is in the press today, go and look; collect everything that was published since yesterday and sum it up; do the morning round now; the overview is stale, do it over',
  'authoring.brief.get':
    'what did this morning’s overview say; let me read yesterday’s press summary; did all sites answer when the overview was made',
  'authoring.brief.list': 'press summaries of the last days; on which days was there something to tell',
  'authoring.brief.get_settings': 'at what time does the press summary come, and to whom; is the morning overview switched on',
  'authoring.statement.list':
    'back up each sentence of the paper; what is each line of the write-up based on; show the quotes behind the document',
  'authoring.figure.count':
    'does the number in the paper still hold; check the maths of the write-up; who are the seven customers it speaks of',
  'authoring.brief.configure':
    'the morning overview should come at six and be about batteries; add my boss to those who get the press summary; no more overview from now on; we also care about tariffs, weigh them double',
  'authoring.schedule.save':
    'every Monday at nine the product people want their figures; mail the health of our customers to sales each week; the digest should come on the first of the month',
  'authoring.schedule.list': 'which regular reports do we send, and when do they go out next; why did nobody get the Monday report',
  'authoring.schedule.remove': 'nobody reads the weekly digest, end it; the Friday report is no longer wanted',
  'authoring.schedule.run': 'do not wait for Monday, send the weekly one now; try the regular report out',
  'notification.message.send':
    'let the on-call people know; drop a mail to the customer team; post it where the designers will see it; call that hook with the result; shout when it is urgent',
  'notification.message.list':
    'what did we send out today; did the mail to Jo leave; which messages bounced; what is still waiting in the outbox',
  'notification.message.get': 'what became of that mail; why did the message not go through',
  'notification.message.retry': 'the mail bounced, give it another go; nobody knows whether it arrived, send it once more',
  'notification.webhook.set_secret': 'our receiver wants to check that it is really you; a new signing key for the hook',
  'notification.webhook.list': 'which receivers have a signing key of their own',
  'notification.webhook.remove_secret': 'that receiver goes back to the common signing key',
  'feed.source.save':
    'keep an eye on this blog; follow the release notes of our competitor; here is the address of a news page to watch; the paper has moved, note its new address; pause that news site',
  'feed.source.list': 'which sites do we watch; which of our news pages are broken; is the trade paper among those we read',
  'feed.source.get': 'when did we last hear from that blog; why does this site bring nothing',
  'feed.source.remove': 'that blog is dead, strike it off; we no longer follow this paper',
  'feed.rss.fetch': 'anything new on that blog; latest posts of the paper; what did they publish this week',
  'feed.api.fetch':
    'ask the news service about batteries of the last day; what does the headlines service have on us; query the press archive',
  'feed.webpage.fetch':
    'what does this page say, without the menus; read me the article behind the link; get the plain text of a site; who wrote this post and when',
  'feed.article.store': 'put these clippings aside; save what I collected; file the press items of this round',
  'feed.article.list': 'press items on tariffs since Monday; what have we clipped from that paper; which stories were rated eight or more',
  'feed.article.index': 'make the clippings findable beside our documents; the press items should be quoted in answers, too',
  'ingest.run.log':
    'note that my harvest is done and what it brought; I begin to collect now, write that down; my round failed, put it on record',
  'ingest.run.get': 'how did the harvest go; what went wrong in that round',
  'ingest.run.list': 'the last harvests and how they went; did the collector work last night',
  'event.stream.subscribe':
    'tell me when something changes; wait until the next thing happens; what happened since I last looked; let me know as soon as it is there',
  'event.subscription.save':
    'our own server should hear of every merge; ring the bell in the channel when an issue gets worse; hook up Zapier; mail me when a stage gets stuck',
  'event.subscription.list': 'who is told of what; which servers do we push to',
  'event.subscription.get': 'is our hook keeping up; why does the receiver get nothing',
  'event.subscription.get_secret': 'with what does the receiver check our pushes; I lost the signing key of the hook',
  'event.subscription.test': 'does the hook work; push something harmless to the receiver',
  'event.subscription.resume': 'the receiver is back, go on pushing; the hook was given up, start it over',
  'event.subscription.remove': 'stop pushing to that server; no more alerts for me',
  'event.delivery.list': 'which pushes never got through; what did the receiver miss',
  'event.delivery.retry': 'push what it missed once more; the receiver is mended, send it the lost ones',
  'insight.count.rebuild': 'the heatmap and the list do not agree; the figures look off, count anew; reckon all totals from scratch',
};
