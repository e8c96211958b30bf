import { ConnectionError, OpenBenefitsError } from './core/errors.ts'
import type { IssuedToken } from './token-route.ts'

/** The route refused: the person is signed out (401), or the page is not one that may ask (403). */
export class TokenRefusedError extends OpenBenefitsError {
  override name = 'TokenRefusedError'
  readonly status: number

  constructor(status: number) {
    super(`The route for tokens answered ${status}.`)
    this.status = status
  }
}

export type BoundTokenOptions = {
  /** Your route, such as `/benefits-token`, which `tokens.route` serves; or a function that fetches from it. */
  from: string | URL | (() => Promise<IssuedToken>)
  /**
   * For whom the tokens are: `empl_…` or `empr_…`. Tabs of the same origin with the same name share them, so that one
   * renews for all. Without it each tab renews for itself. Name the person: what shares a name shares what it may.
   */
  name?: string
}

/** A token that is renewed in time. */
export type BoundToken = {
  /** For {@link OpenBenefits}: the token, or a new one when this one was refused. */
  getToken: (refused?: string) => Promise<string>
  /** Ends renewing, and forgets the token: when the person signs out. */
  stop: () => void
}

/** Renewed after so much of its life. */
const renewed_at = 0.8

/** Milliseconds in which other tabs may say that they have renewed already. */
const answer_time = 50

/** Milliseconds that a request with a token may be on its way. */
const on_the_way = 5000

type Held = { token: string; renew_at: number; ends_at: number }

/** What tabs tell each other: who has a token that is not yet to be renewed, and not the refused one; and this one. */
type Said = { ask: true; refused?: string | undefined } | { held: Held }

/** As much as is here of a page: workers and servers have none. */
type Page = {
  document?: EventTarget & { visibilityState: string }
  navigator?: { locks?: { request<T>(name: string, work: () => Promise<T>): Promise<T> } }
}

/**
 * Holds a bound token for a page: fetches it from your route, renews it at 80 % of its life, once for all tabs, and at
 * once when a page comes back to the foreground with one that is due. In the background nothing is renewed.
 *
 * @example
 * ```ts
 * const { getToken } = boundToken({ from: '/benefits-token', name: employee_id })
 * const ob = new OpenBenefits({ getToken, baseUrl: 'https://benefits.example.com' })
 * ```
 */
export function boundToken({ from, name }: BoundTokenOptions): BoundToken {
  const { document, navigator } = globalThis as unknown as Page
  const channel = name === undefined ? undefined : new BroadcastChannel(`openbenefits-token:${name}`)
  let held: Held | undefined
  let renewing: Promise<Held> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let is_stopped = false

  const goodFor = (until: 'renew_at' | 'ends_at', one: Held | undefined, refused?: string): string | undefined =>
    one && one.token !== refused && Date.now() < one[until] ? one.token : undefined

  const keep = (one: Held): Held => {
    if (is_stopped) throw new OpenBenefitsError('This token was stopped.')
    held = one
    clearTimeout(timer)
    timer = setTimeout(renewWhenSeen, Math.max(0, one.renew_at - Date.now()))
    // Of Node: a timer that waits holds no process.
    ;(timer as { unref?: () => void }).unref?.()
    return one
  }

  /** Due, and looked at. What fails here is told to whoever asks for the token next. */
  const renewWhenSeen = () => {
    if (held && !goodFor('renew_at', held) && document?.visibilityState !== 'hidden') renew().catch(() => undefined)
  }

  const renew = (refused?: string): Promise<Held> => {
    const fetchUnlessHeld = async () => {
      if (is_stopped) throw new OpenBenefitsError('This token was stopped.')
      const others = channel && (await askOthers(refused))
      if (others && goodFor('renew_at', others, refused)) return keep(others)
      const { access_token: token, expires_in } = await fetchToken(from)
      const [now, life] = [Date.now(), expires_in * 1000]
      const fresh = { token, renew_at: now + life * renewed_at, ends_at: now + life - on_the_way }
      channel?.postMessage({ held: fresh } satisfies Said)
      return keep(fresh)
    }
    const locks = channel && navigator?.locks
    renewing ??= (locks ? locks.request(channel.name, fetchUnlessHeld) : fetchUnlessHeld()).finally(
      () => (renewing = undefined),
    )
    return renewing
  }

  const askOthers = async (refused?: string): Promise<Held | undefined> => {
    channel!.postMessage({ ask: true, refused } satisfies Said)
    for (let waited = 0; waited < answer_time && !goodFor('renew_at', held, refused); waited += 5)
      await new Promise((resolve) => setTimeout(resolve, 5))
    return held
  }

  const hear = ({ data }: { data: Said }) => {
    if ('held' in data) {
      if (!held || data.held.renew_at > held.renew_at) keep(data.held)
    } else if (held && goodFor('renew_at', held, data.refused)) channel!.postMessage({ held } satisfies Said)
  }
  channel?.addEventListener('message', hear as unknown as (event: Event) => void)
  ;(channel as { unref?: () => void } | undefined)?.unref?.()
  document?.addEventListener('visibilitychange', renewWhenSeen)

  return {
    getToken: async (refused) => {
      const due = goodFor('ends_at', held, refused)
      if (goodFor('renew_at', held, refused)) return held!.token
      // Good for a while yet: nobody waits for the next one.
      if (due) renew().catch(() => undefined)
      return due ?? (await renew(refused)).token
    },
    stop: () => {
      is_stopped = true
      held = undefined
      clearTimeout(timer)
      channel?.close()
      document?.removeEventListener('visibilitychange', renewWhenSeen)
    },
  }
}

async function fetchToken(from: BoundTokenOptions['from']): Promise<IssuedToken> {
  if (typeof from === 'function') return from()
  const answer = await fetch(from, { method: 'POST', credentials: 'include' }).catch((cause: unknown) => {
    throw new ConnectionError('The route for tokens can not be reached.', { cause })
  })
  if (!answer.ok) throw new TokenRefusedError(answer.status)
  return (await answer.json()) as IssuedToken
}
