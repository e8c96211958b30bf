/** What runs in a thread of site.ts: it makes the index over what can be found. */
import { parentPort, workerData } from 'node:worker_threads'
import { workBehindOthers } from '../kernel/background-thread.ts'
import { searchIndex, type Found } from './search.ts'

workBehindOthers()
parentPort!.postMessage(searchIndex(workerData as Found[]))
