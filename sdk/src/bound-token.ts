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

/** Milliseconds in which a tab that has a token may say so, however busy it is. */
const answer_time = 300

/** Milliseconds that a request with a token may be on its way. */
const on_the_way = 5000

type Held = { token: string; renew_at: number; ends_at: number }

/** What tabs tell each other: who has a token that is not yet to be renewed, and not the refused one; and this one. */
type Said = { ask: true; refused?: string | undefined } | { held: Held }

/** As much as is here of the locks that tabs share. */
type Locks = {
  request<T>(name: string, work: () => Promise<T>): Promise<T>
  request<T>(name: string, options: { mode: 'shared' }, work: () => Promise<T>): Promise<T>
  query(): Promise<{ held?: { name: string }[] }>
}

/** As much as is here of a page: workers and servers have none. */
type Page = Partial<EventTarget> & {
  document?: EventTarget & { visibilityState: string }
  navigator?: { locks?: Locks }
}

const stopped = () => new OpenBenefitsError('This token was stopped.')

/** The token, when it is not the refused one and not yet due. */
const goodUntil = (end: 'renew_at' | 'ends_at', one: Held | undefined, refused?: string): string | undefined =>
  one && one.token !== refused && Date.now() < one[end] ? one.token : undefined

/**
 * Holds a bound token for a page: fetches it from your route, renews it at 80 % of its life, once for all tabs, and at
 * once when a page comes back to the foreground with one that is due. In the background nothing is renewed.
 *
 * @example
 * ```ts
 * const { getToken } = boundToken({ from: '/benefits-token', name: employer_id })
 * const ob = new OpenBenefits({ getToken, baseUrl: 'https://benefits.example.com' })
 * ```
 */
export function boundToken({ from, name }: BoundTokenOptions): BoundToken {
  const { document } = globalThis as unknown as Page
  let held: Held | undefined
  let renewing: Promise<Held> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let is_stopped = false

  const keep = (one: Held): Held => {
    if (is_stopped) throw stopped()
    held = one
    tabs?.stay()
    clearTimeout(timer)
    timer = setTimeout(renewWhenSeen, Math.max(0, one.renew_at - Date.now()))
    // Of Node: a timer that waits holds no process.
    ;(timer as { unref?: () => void }).unref?.()
    return one
  }
  const tabs = name === undefined ? undefined : openTabs(name, () => held, keep)

  const renew = (refused?: string): Promise<Held> => {
    const fetchUnlessHeld = async () => {
      if (is_stopped) throw stopped()
      await tabs?.ask(refused)
      if (held && goodUntil('renew_at', held, refused)) return held
      const fresh = keep(await fetchToken(from))
      tabs?.tell({ held: fresh })
      return fresh
    }
    renewing ??= (tabs ? tabs.inTurn(fetchUnlessHeld) : fetchUnlessHeld()).finally(() => (renewing = undefined))
    return renewing
  }

  /** When it is due, and looked at. What fails here is told to whoever asks for the token next. */
  function renewWhenSeen(): void {
    if (held && !goodUntil('renew_at', held) && document?.visibilityState !== 'hidden') renew().catch(() => undefined)
  }
  document?.addEventListener('visibilitychange', renewWhenSeen)

  return {
    getToken: async (refused) => {
      const token = goodUntil('ends_at', held, refused)
      // Good for a while yet: nobody waits for the next one.
      if (token && !goodUntil('renew_at', held)) renew().catch(() => undefined)
      return token ?? (await renew(refused)).token
    },
    stop: () => {
      is_stopped = true
      held = undefined
      clearTimeout(timer)
      tabs?.close()
      document?.removeEventListener('visibilitychange', renewWhenSeen)
    },
  }
}

type Tabs = {
  /** Asks the other tabs for a token that is better than our own; what they have is kept before this is over. */
  ask: (refused?: string) => Promise<void>
  tell: (said: Said) => void
  /** Lets the other tabs know that there is a token here: where nobody has one, nobody waits for an answer. */
  stay: () => void
  /** Does something while no other tab does it. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
  close: () => void
}

/** The tabs of this origin that share a name. */
function openTabs(name: string, heldNow: () => Held | undefined, keep: (held: Held) => unknown): Tabs {
  const page = globalThis as unknown as Page
  const locks = page.navigator?.locks
  const channel = new BroadcastChannel(`openbenefits-token:${name}`)
  const tell = (said: Said) => channel.postMessage(said)
  let heard: () => void = () => undefined
  const hear = ({ data: said }: { data: Said }) => {
    const held = heldNow()
    if ('held' in said) {
      if (!held || said.held.renew_at > held.renew_at) keep(said.held)
      heard()
    } else if (held && goodUntil('renew_at', held, said.refused)) tell({ held })
  }
  channel.addEventListener('message', hear as unknown as (event: Event) => void)
  ;(channel as { unref?: () => void }).unref?.()
  const held_name = `${channel.name} held`
  let leave: (() => void) | undefined
  const stay = () => {
    if (leave || !locks) return
    const until_left = new Promise<void>((resolve) => (leave = resolve))
    locks.request(held_name, { mode: 'shared' }, () => until_left).catch(() => undefined)
  }
  const goAway = () => {
    leave?.()
    leave = undefined
  }
  const comeBack = () => heldNow() && stay()
  // A browser keeps no page for the way back that holds a lock.
  page.addEventListener?.('pagehide', goAway)
  page.addEventListener?.('pageshow', comeBack)
  return {
    stay,
    ask: async (refused) => {
      if (goodUntil('renew_at', heldNow(), refused)) return
      const there = (await locks?.query())?.held?.filter(({ name: one }) => one === held_name)
      if (there && there.length <= (leave ? 1 : 0)) return
      tell({ ask: true, refused })
      // One timer: on a slow device several of them take far longer than they say.
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, answer_time)
        heard = () => {
          if (!goodUntil('renew_at', heldNow(), refused)) return
          clearTimeout(timer)
          resolve()
        }
      })
    },
    tell,
    inTurn: (work) => (locks ? locks.request(channel.name, work) : work()),
    close: () => {
      goAway()
      page.removeEventListener?.('pagehide', goAway)
      page.removeEventListener?.('pageshow', comeBack)
      channel.close()
    },
  }
}

async function fetchToken(from: BoundTokenOptions['from']): Promise<Held> {
  const { access_token: token, expires_in } = typeof from === 'function' ? await from() : await fetchFrom(from)
  const [now, life] = [Date.now(), expires_in * 1000]
  return { token, renew_at: now + life * renewed_at, ends_at: now + life - on_the_way }
}

async function fetchFrom(route: string | URL): Promise<IssuedToken> {
  const answer = await fetch(route, { method: 'POST', credentials: 'include' }).catch((cause: unknown) => {
    throw new ConnectionError('The route for tokens can not be reached.', { cause })
  })
  if (!answer.ok) throw new TokenRefusedError(answer.status)
  return (await answer.json()) as IssuedToken
}
