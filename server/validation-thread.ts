/** The worker thread of http/body/validation-pool.ts. Of modules it loads only the schemas of large bodies. */
import { performTask, type ValidationTask } from './http/body/validation-pool.ts'
import { lowerThreadPriority } from './kernel/concurrency/background-thread.ts'
import { large_bodies } from './large-bodies.ts'

lowerThreadPriority()

export default (task: ValidationTask) => performTask(task, large_bodies)
