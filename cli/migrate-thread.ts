import { parentPort, workerData } from 'node:worker_threads';
import { prepareDatabase } from '../deploy/database.ts';

parentPort!.postMessage(await prepareDatabase(workerData as string));
