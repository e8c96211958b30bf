/** What runs in the thread of platform/http/checking-apart.ts: it knows every operation, as the API does. */
import { workerData } from 'node:worker_threads'
import { workBehindOthers } from './kernel/background-thread.ts'
import { endpoints } from './modules.ts'
import { checkHere } from './platform/http/checking-apart.ts'

workBehindOthers()
checkHere(workerData, endpoints)
