/**
 * Articles of one day, written for tests: stories in several sources, similar but different stories, and irrelevant
 * articles.
 */
import type { BriefArticle } from './types.ts';

/** Relevance to the topics, judged when they were written. */
export type Mark = 'heart' | 'beside' | 'off';

export interface News extends BriefArticle {
  /** Shared by articles of one story. */
  told: string;
  /** For the topics in `newsTopics`. */
  mark: Mark;
}

export const newsTopics = [
  { name: 'artificial intelligence', keywords: ['AI', 'language model', 'machine learning'], weight: 2 },
  { name: 'cloud security', keywords: ['data breach', 'vulnerability', 'ransomware'], weight: 1 },
];

export const newsAt = new Date('2026-11-14T12:00:00Z');

let count = 0;
function news(told: string, mark: Mark, source: string, title: string, summary: string, categories: string[], hoursAgo = 5): News {
  count += 1;
  const key = `a${String(count).padStart(2, '0')}`;
  const publishedAt = new Date(newsAt.getTime() - hoursAgo * 3_600_000).toISOString();
  return {
    key,
    url: `https://${source}.test/${key}`,
    title,
    summary,
    content: '',
    source,
    publishedAt,
    categories,
    relevance: 0,
    told,
    mark,
  };
}

export const newsOfTheDay: News[] = [
  news(
    'orion',
    'heart',
    'northwire',
    'Halden Labs releases Orion 5, a language model for long documents',
    'Halden Labs released Orion 5 on Friday, a language model that reads up to two million words at once. It is the largest context of any commercial model, and costs 40 percent less than its predecessor. Rivals will have to cut prices or lose enterprise customers, analysts at Brightmoor said.',
    ['AI', 'Technology'],
    3,
  ),
  news(
    'orion',
    'heart',
    'techpost',
    'Orion 5 arrives: Halden Labs launches language model with huge context',
    'Halden Labs launched Orion 5, its new language model, on Friday. The model handles two million words in one request. Developers get access through an API from Monday.',
    ['AI'],
    4,
  ),
  news(
    'orion',
    'heart',
    'dailybyte',
    'Halden Labs launches Orion 5 language model',
    'The new language model Orion 5 of Halden Labs reads two million words at a time and is cheaper than the last one.',
    ['Technology'],
    2,
  ),
  news(
    'orion4',
    'heart',
    'northwire',
    'Halden Labs retires Orion 4, its earlier language model',
    'Halden Labs will switch off Orion 4 in March. Customers must move to a newer model before then. About 3,000 companies still use it.',
    ['AI'],
    6,
  ),
  news(
    'breach',
    'heart',
    'securedaily',
    'Data breach at cloud provider Nimbus exposes 4 million accounts',
    'Cloud provider Nimbus said attackers had copied the data of 4 million accounts. The attackers used a vulnerability in its backup service. Customers must change their passwords by Sunday, and regulators in two countries have opened inquiries.',
    ['Security'],
    8,
  ),
  news(
    'breach',
    'heart',
    'northwire',
    'Nimbus confirms data breach, 4 million accounts of cloud customers exposed',
    'Attackers copied data of 4 million accounts at Nimbus, the cloud provider confirmed on Saturday. A vulnerability in the backup service let them in.',
    ['Security', 'Technology'],
    6,
  ),
  news(
    'hospital',
    'heart',
    'medwatch',
    'Ransomware stops operations at three hospitals in Westmark',
    'Three hospitals in Westmark cancelled operations after ransomware locked their records. Patients are being sent to clinics up to 90 km away. The hospitals expect to be offline for a week.',
    ['Health', 'Security'],
    7,
  ),
  news(
    'rules',
    'heart',
    'govnews',
    'Parliament agrees on rules for artificial intelligence in hiring',
    'Parliament agreed on Thursday on rules for artificial intelligence that selects job applicants. Companies will have to explain each rejection from 2028 on. Fines reach 4 percent of yearly sales.',
    ['Policy', 'AI'],
    20,
  ),
  news(
    'chips',
    'beside',
    'marketline',
    'Chip maker Varda raises forecast on demand from data centres',
    'Varda raised its sales forecast to $14 billion. Orders from operators of data centres that train neural networks doubled within a year. Supply will stay short until summer, the company said.',
    ['Business'],
    10,
  ),
  news(
    'translate',
    'beside',
    'campus',
    'Students build a program that learns to translate sign language',
    'A team of students has trained a neural network to turn sign language into text. It recognises 2,000 signs. The university wants to give it away for free.',
    ['Science'],
    12,
  ),
  news(
    'passwords',
    'beside',
    'techpost',
    'Browser maker Lumen ends support for passwords',
    'Lumen will no longer store passwords from May on. Users sign in with passkeys instead. Websites without passkeys keep working as before.',
    ['Technology'],
    9,
  ),
  news(
    'cup',
    'off',
    'sportpage',
    'Rovers win the cup after extra time',
    'Rovers beat Harbour City 3-2 after extra time on Saturday. It is their first cup in 31 years. The captain scored twice.',
    ['Sport'],
    2,
  ),
  news(
    'cake',
    'off',
    'kitchen',
    'Ten cakes for the first Sunday of Advent',
    'Cinnamon, orange and almonds belong into every kitchen now. All ten recipes need less than an hour.',
    ['Food'],
    3,
  ),
  news(
    'storm',
    'off',
    'weatherdesk',
    'Storm closes ports on the northern coast',
    'A storm closed six ports on the northern coast on Friday. Ferries are expected to resume on Sunday. Fish prices rose by 12 percent.',
    ['Weather'],
    5,
  ),
  news(
    'museum',
    'off',
    'cityguide',
    'Museum of glass opens its new wing',
    'The museum of glass opened a wing for modern art. Entry is free until the end of the month.',
    ['Culture'],
    11,
  ),
  news(
    'bonds',
    'off',
    'marketline',
    'Central bank leaves interest rates as they are',
    'The central bank left interest rates at 3.5 percent. It expects inflation to fall below 2 percent next year. Bonds rose slightly.',
    ['Business'],
    6,
  ),
  news(
    'train',
    'off',
    'govnews',
    'New night train joins two capitals',
    'A night train joins the two capitals from June on. It runs three times a week and takes 14 hours.',
    ['Travel'],
    8,
  ),
  news(
    'movie',
    'off',
    'screenpost',
    'Comedy about a bakery leads the box office',
    'A comedy about a bakery took in $22 million on its first weekend. No film of its studio has opened better.',
    ['Culture'],
    9,
  ),
];
