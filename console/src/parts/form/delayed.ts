import { useSyncExternalStore } from 'react'

/** Actions on resources that run after a delay, until which the user can undo them. */
type Delayed = {
  ids: readonly string[]
  /** states the actions and their consequences */
  words: (count: number) => string
  /** the label of the button that ends the delay */
  now: string
  /** sends its request with `keepalive`, because the page may close */
  act: (id: string) => Promise<unknown>
  /** runs after the last action, even if one was refused */
  after: () => Promise<unknown>
}

/** `error`: why earlier actions were refused, until the user closes it. */
type State = Delayed & { is_running?: true; error?: Error }

let current: State | undefined
const listeners = new Set<() => void>()

function set(next: State | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The pending actions. */
export const useDelayed = () => useSyncExternalStore(subscribe, () => current)

/** Adds actions. Pending ones of the same kind wait again, and those of another kind run immediately. */
export function delay(action: Delayed): void {
  const pending = current?.act === action.act && !current.is_running ? current.ids : []
  if (pending.length === 0) void runDelayed()
  const ids = [...new Set([...pending, ...action.ids])]
  set({ ...action, ids, ...(current?.error && { error: current.error }) })
}

/** Cancels the pending action on one resource, or all pending actions. Actions that have started can’t be undone. */
export function undo(id?: string): void {
  if (!current || current.is_running) return
  const ids = id === undefined ? [] : current.ids.filter((one) => one !== id)
  set(ids.length > 0 || current.error ? { ...current, ids } : undefined)
}

/** Closes the error. Pending actions continue. */
export function closeError(): void {
  if (!current) return
  const { error: _, ...pending } = current
  set(pending.ids.length > 0 ? pending : undefined)
}

/**
 * Runs the pending actions. All requests are sent immediately, because the page may close before it receives a
 * response. A refused action does not affect the others.
 */
export async function runDelayed(): Promise<void> {
  const pending = current
  if (!pending || pending.is_running || pending.ids.length === 0) return
  const running: State = { ...pending, is_running: true }
  set(running)
  const results = await Promise.allSettled(running.ids.map((id) => running.act(id)))
  const refused = results.find((result) => result.status === 'rejected')
  const error = (refused?.reason as Error | undefined) ?? pending.error
  await running.after().catch(() => undefined)
  // Other actions may have been added in the meantime.
  const others = current === running ? undefined : current
  set(error ? { ...(others ?? { ...pending, ids: [] }), error } : others)
}
