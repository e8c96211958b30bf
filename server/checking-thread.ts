/** What runs in the thread of http/body/validation-worker.ts. */
import { workerData } from 'node:worker_threads'
import { workBehindOthers } from './kernel/background-thread.ts'
import { large_bodies } from './large-bodies.ts'
import { checkHere } from './http/body/validation-worker.ts'

workBehindOthers()
checkHere(workerData, large_bodies)
