/** What runs in a thread of docs.ts: it draws the page where requests are tried, or what that page runs. */
import { parentPort, workerData } from 'node:worker_threads'
import scalar, { type ApiReferenceConfiguration } from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { workBehindOthers } from '../../kernel/background-thread.ts'

/** A path below `docs`, where requests of an interface are tried. */
export type DrawnByScalar = { docs: `/${string}`; configuration: Partial<ApiReferenceConfiguration>; path: string }

workBehindOthers()

const { docs, configuration, path } = workerData as DrawnByScalar
const drawing = Fastify()
await drawing.register(scalar, { routePrefix: docs, configuration })
parentPort!.postMessage((await drawing.inject(path)).payload)
