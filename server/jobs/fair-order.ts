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

/** Counts the running jobs of each organization. */
function countRunning(max_per_organization: number) {
  const running = new Map<string, number>()
  return {
    add(organization: string, by: 1 | -1): void {
      running.set(organization, (running.get(organization) ?? 0) + by)
      if (running.get(organization) === 0) running.delete(organization)
    },
    /** The organizations that run as many jobs as they may. */
    full: (): string[] =>
      [...running].filter(([, jobs]) => jobs >= max_per_organization).map(([organization]) => organization),
  }
}

/**
 * Serializes requests for jobs: the next one starts when the previous one is answered. Otherwise, several could take
 * jobs of one organization before any of them is counted.
 */
function serializeRequests(listFlags: () => string[]) {
  const waiters: (() => void)[] = []
  let is_busy = false
  return {
    request: () =>
      new Promise<string[]>((resolve) => {
        const start = () => resolve(listFlags())
        if (is_busy) waiters.push(start)
        else start()
        is_busy = true
      }),
    answered(): void {
      const next = waiters.shift()
      if (next) next()
      else is_busy = false
    },
  }
}

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
  const running = countRunning(max_per_organization)
  const had_turn = new Set<string>()
  /** Jobs since the last background job. */
  let since_background = 0
  /** The current request is for a background job. */
  let for_background = false
  /** All background jobs may belong to organizations that run as many jobs as they may. */
  let background_was_full = false
  let closing = false

  const requests = serializeRequests(() => {
    for_background = since_background >= before_background
    if (for_background) return [foreground, ...running.full()]
    return [...new Set([...had_turn, ...running.full(), ...(had_turn.size > 0 ? [background] : [])])]
  })

  events.on('job:start', ({ job }) => {
    const organization = organizationOf(job)
    if (organization !== undefined) running.add(organization, 1)
    if (organization !== undefined && !isBackground(job)) had_turn.add(organization)
    since_background = for_background || isBackground(job) ? 0 : since_background + 1
    requests.answered()
  })
  events.on('job:complete', ({ job }) => {
    const organization = organizationOf(job)
    if (organization === undefined) return
    // Otherwise, the next foreground job of the organization would occupy the free slot before a background job can.
    if (background_was_full && running.full().includes(organization)) since_background = before_background
    running.add(organization, -1)
  })
  events.on('worker:getJob:empty', ({ worker }) => {
    // Makes the library request a job again immediately, as if a new one had arrived.
    if ((for_background || had_turn.size > 0) && !closing) worker.nudge()
    if (for_background) {
      since_background = 0
      background_was_full = running.full().length > 0
    } else had_turn.clear()
    requests.answered()
  })
  events.on('pool:gracefulShutdown', () => void (closing = true))
  events.on('worker:getJob:error', () => requests.answered())
  return requests.request
}
