/** Worker thread of references.ts. Renders the page of a reference, or returns Scalar's script. */
import { parentPort, workerData } from 'node:worker_threads'
import scalar, { type ApiReferenceConfiguration } from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { lowerThreadPriority } from '../../kernel/concurrency/background-thread.ts'

/** `path` is below `docs`, the path of the reference. */
export type DrawnByScalar = { docs: `/${string}`; configuration: Partial<ApiReferenceConfiguration>; path: string }

lowerThreadPriority()

const { docs, configuration, path } = workerData as DrawnByScalar
const app = Fastify()
await app.register(scalar, { routePrefix: docs, configuration })
parentPort!.postMessage((await app.inject(path)).payload)
