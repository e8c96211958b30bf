/** What runs in the thread of platform/http/checking-apart.ts. */
import { workerData } from 'node:worker_threads'
import { workBehindOthers } from './kernel/background-thread.ts'
import { large_bodies } from './large-bodies.ts'
import { checkHere } from './platform/http/checking-apart.ts'

workBehindOthers()
checkHere(workerData, large_bodies)
