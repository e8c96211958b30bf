import { ConnectionError, OpenBenefitsError } from './core/errors.ts'
import type { IssuedToken } from './token-route.ts'

/** The route refused: the user is signed out (401), or the page may not request tokens (403). */
export class TokenRefusedError extends OpenBenefitsError {
  override name = 'TokenRefusedError'
  readonly status: number

  constructor(status: number) {
    super(`The token route responded with ${status}.`)
    this.status = status
  }
}

export type BoundTokenOptions = {
  /** Your route served by `tokens.route`, such as `/benefits-token`, or a function that fetches from it. */
  from: string | URL | (() => Promise<IssuedToken>)
  /**
   * The entity of the tokens: `empl_…` or `empr_…`. Tabs of the same origin with the same name share a token, and one
   * tab renews it for all. Without a name, each tab renews its own. The name must identify the entity, because
   * everything with the same name has the same access.
   */
  name?: string
}

/** A token that is renewed before it expires. */
export type BoundToken = {
  /** For {@link OpenBenefits}: returns the token, or a new one if the given token was refused. */
  getToken: (refused?: string) => Promise<string>
  /** Stops renewing and discards the token. Call it when the user signs out. */
  stop: () => void
}

/** The share of its lifetime after which a token is renewed. */
const renewed_at = 0.8

/** Milliseconds to wait for another tab that has a token. */
const token_wait_ms = 300

/** Milliseconds that a request with a token may take. */
const request_margin = 5000

type Held = { token: string; renew_at: number; ends_at: number }

/** Messages between tabs: a request for a valid token other than the refused one, and a token. */
type Message = { request: true; refused?: string | undefined } | { held: Held }

/** The used part of the Web Locks API. */
type Locks = {
  request<T>(name: string, work: () => Promise<T>): Promise<T>
  request<T>(name: string, options: { mode: 'shared' }, work: () => Promise<T>): Promise<T>
  query(): Promise<{ held?: { name: string }[] }>
}

/** The used part of the DOM. Workers and servers have no DOM. */
type Page = Partial<EventTarget> & {
  document?: EventTarget & { visibilityState: string }
  navigator?: { locks?: Locks }
}

const stopped = () => new OpenBenefitsError('This token source was stopped.')

/** The token, unless it was refused or is due for renewal. */
const goodUntil = (end: 'renew_at' | 'ends_at', held: Held | undefined, refused?: string): string | undefined =>
  held && held.token !== refused && Date.now() < held[end] ? held.token : undefined

/**
 * Manages a bound token for a page. It fetches the token from your route and renews it at 80% of its lifetime, once
 * for all tabs. A background page does not renew. A page that returns to the foreground renews an overdue token
 * immediately.
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

  const keep = (token: Held): Held => {
    if (is_stopped) throw stopped()
    held = token
    tabs?.stay()
    clearTimeout(timer)
    timer = setTimeout(renewWhenSeen, Math.max(0, token.renew_at - Date.now()))
    // In Node, a pending timer must not keep the process running.
    ;(timer as { unref?: () => void }).unref?.()
    return token
  }
  const tabs = name === undefined ? undefined : openTabs(name, () => held, keep)

  const renew = (refused?: string): Promise<Held> => {
    const fetchUnlessHeld = async () => {
      if (is_stopped) throw stopped()
      await tabs?.requestToken(refused)
      if (held && goodUntil('renew_at', held, refused)) return held
      const fresh = keep(await fetchToken(from))
      tabs?.broadcast({ held: fresh })
      return fresh
    }
    renewing ??= (tabs ? tabs.inTurn(fetchUnlessHeld) : fetchUnlessHeld()).finally(() => (renewing = undefined))
    return renewing
  }

  /** Renews when due, if the page is visible. The next `getToken` call reports a failure. */
  function renewWhenSeen(): void {
    if (held && !goodUntil('renew_at', held) && document?.visibilityState !== 'hidden') renew().catch(() => undefined)
  }
  document?.addEventListener('visibilitychange', renewWhenSeen)

  return {
    getToken: async (refused) => {
      const token = goodUntil('ends_at', held, refused)
      // Still valid, so callers do not wait for the renewal.
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
  /** Requests a newer token from the other tabs. Their responses are stored before this resolves. */
  requestToken: (refused?: string) => Promise<void>
  broadcast: (message: Message) => void
  /**
   * Holds a lock that shows other tabs that this one has a token. If no tab holds this lock, they do not wait for a
   * response.
   */
  stay: () => void
  /** Runs a function while no other tab runs it. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
  close: () => void
}

/** The tabs of this origin with the same name. */
function openTabs(name: string, heldNow: () => Held | undefined, keep: (held: Held) => unknown): Tabs {
  const page = globalThis as unknown as Page
  const locks = page.navigator?.locks
  const channel = new BroadcastChannel(`openbenefits-token:${name}`)
  const broadcast = (message: Message) => channel.postMessage(message)
  let received: () => unknown = () => undefined
  const receive = ({ data: message }: { data: Message }) => {
    const held = heldNow()
    if ('held' in message) {
      if (!held || message.held.renew_at > held.renew_at) keep(message.held)
      received()
    } else if (held && goodUntil('renew_at', held, message.refused)) broadcast({ held })
  }
  channel.addEventListener('message', receive as unknown as (event: Event) => void)
  ;(channel as { unref?: () => void }).unref?.()
  const held_name = `${channel.name} held`
  let locks_before: ReturnType<Locks['query']> | undefined
  let leave: (() => void) | undefined
  const stay = () => {
    if (leave || !locks) return
    const until_left = new Promise<void>((resolve) => (leave = resolve))
    locks.request(held_name, { mode: 'shared' }, () => until_left).catch(() => undefined)
  }
  const leaveTabs = () => {
    leave?.()
    leave = undefined
  }
  const rejoinTabs = () => heldNow() && stay()
  // Browsers do not keep a page with a lock in the back/forward cache.
  page.addEventListener?.('pagehide', leaveTabs)
  page.addEventListener?.('pageshow', rejoinTabs)
  return {
    stay,
    requestToken: async (refused) => {
      if (goodUntil('renew_at', heldNow(), refused)) return
      const taken = (await locks_before)?.held?.filter((lock) => lock.name === held_name || lock.name === channel.name)
      if (taken && taken.length <= (leave ? 1 : 0)) return
      broadcast({ request: true, refused })
      // A single timer, because several run far too late on slow devices.
      await new Promise<void>((resolve) => {
        setTimeout(resolve, token_wait_ms)
        received = () => goodUntil('renew_at', heldNow(), refused) && resolve()
      })
    },
    broadcast,
    inTurn: (work) => {
      if (!locks) return work()
      // Sent together with the request for the lock, which saves a round trip before the first token.
      locks_before = locks.query()
      return locks.request(channel.name, work)
    },
    close: () => {
      leaveTabs()
      page.removeEventListener?.('pagehide', leaveTabs)
      page.removeEventListener?.('pageshow', rejoinTabs)
      channel.close()
    },
  }
}

async function fetchToken(from: BoundTokenOptions['from']): Promise<Held> {
  const { access_token: token, expires_in } = typeof from === 'function' ? await from() : await fetchFrom(from)
  const [now, life] = [Date.now(), expires_in * 1000]
  return { token, renew_at: now + life * renewed_at, ends_at: now + life - request_margin }
}

async function fetchFrom(route: string | URL): Promise<IssuedToken> {
  const response = await fetch(route, { method: 'POST', credentials: 'include' }).catch((cause: unknown) => {
    throw new ConnectionError('The token route is unreachable.', { cause })
  })
  if (!response.ok) throw new TokenRefusedError(response.status)
  return (await response.json()) as IssuedToken
}
