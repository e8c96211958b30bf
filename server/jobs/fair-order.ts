import type { Job, WorkerEvents } from 'graphile-worker'

/** The flag of low-priority jobs. */
const background = 'background'

/** The flag of all other jobs, which wait when it is the turn of a background job. */
const foreground = 'foreground'

/** Number of foreground jobs before a background job. */
const before_background = 3

/** The flags of a job: its organization, if it has one, and foreground or background. */
export const flagsOf = (payload: object, priority: number | null): string[] => [
  ...('organization_id' in payload && typeof payload.organization_id === 'string' ? [payload.organization_id] : []),
  priority === null ? foreground : background,
]

const isBackground = ({ flags }: Job): boolean => background in (flags ?? {})

const organizationOf = ({ flags }: Job): string | undefined =>
  Object.keys(flags ?? {}).find((flag) => flag !== background && flag !== foreground)

/**
 * Serves organizations round-robin, although the library takes the oldest job. Each time the library requests a job,
 * this returns the flags of jobs that must wait.
 *
 * - In a round each organization gets one job. A round ends when no organization with a turn left has a job.
 * - At most `max_per_organization` jobs of an organization run at a time, since they wait for each other's locks.
 * - Background jobs wait until a round has no other job, or until three others have run. So they also run alongside
 *   organizations that always have jobs.
 */
export function takeTurns(events: WorkerEvents, max_per_organization: number): () => Promise<string[]> {
  const running = new Map<string, number>()
  const had_turn = new Set<string>()
  /** Jobs since the last background job. */
  let since_background = 0
  /** The current request is for a background job. */
  let for_background = false
  /** All background jobs may belong to organizations that run as many jobs as they may. */
  let background_was_full = false
  let closing = false
  let is_scheduled = false
  const waiters: (() => void)[] = []
  const answered = () => {
    const next = waiters.shift()
    if (next) next()
    else is_scheduled = false
  }
  const full = () =>
    [...running].filter(([, jobs]) => jobs >= max_per_organization).map(([organization]) => organization)
  const count = (organization: string, by: 1 | -1) => {
    running.set(organization, (running.get(organization) ?? 0) + by)
    if (running.get(organization) === 0) running.delete(organization)
  }

  events.on('job:start', ({ job }) => {
    const organization = organizationOf(job)
    if (organization !== undefined) count(organization, 1)
    if (organization !== undefined && !isBackground(job)) had_turn.add(organization)
    since_background = for_background || isBackground(job) ? 0 : since_background + 1
    answered()
  })
  events.on('job:complete', ({ job }) => {
    const organization = organizationOf(job)
    if (organization === undefined) return
    // Otherwise, the next foreground job of the organization would occupy the free slot before a background job can.
    if (background_was_full && full().includes(organization)) since_background = before_background
    count(organization, -1)
  })
  events.on('worker:getJob:empty', ({ worker }) => {
    // Makes the library request a job again immediately, as if a new one had arrived.
    if ((for_background || had_turn.size > 0) && !closing) worker.nudge()
    if (for_background) {
      since_background = 0
      background_was_full = full().length > 0
    } else had_turn.clear()
    answered()
  })
  events.on('pool:gracefulShutdown', () => void (closing = true))
  events.on('worker:getJob:error', answered)

  const waiting = () => {
    for_background = since_background >= before_background
    if (for_background) return [foreground, ...full()]
    return [...new Set([...had_turn, ...full(), ...(had_turn.size > 0 ? [background] : [])])]
  }
  // Requests are serialized: otherwise several could take jobs of one organization before any of them is counted.
  return () =>
    new Promise((resolve) => {
      const resume = () => resolve(waiting())
      if (is_scheduled) waiters.push(resume)
      else resume()
      is_scheduled = true
    })
}
