import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useRef, useState } from 'react'

/**
 * Ignores clicks for this long after a successful action. They are the second half of a double click, and another row
 * may have moved under the pointer. After a refusal, the button works again immediately.
 */
const double_click_ms = 400

/** A mutation started by a button. A double click runs it once. */
export function useAction<Done, Input = void>(options: UseMutationOptions<Done, Error, Input>) {
  const action = useMutation(options)
  const is_busy = useRef(false)
  const [isPending, setPending] = useState(false)
  const free = () => {
    is_busy.current = false
    setPending(false)
  }
  const mutate = (input: Input) => {
    if (is_busy.current) return
    is_busy.current = true
    setPending(true)
    action.mutate(input, { onSuccess: () => setTimeout(free, double_click_ms), onError: free })
  }
  return { ...action, mutate, isPending }
}

/** Delays in milliseconds. A job usually finishes before the first one, or later under load. */
const refresh_delays_ms = [2_000, 8_000, 30_000]

/** Refreshes several times until the effects of a background job appear. */
export function refreshLater(refresh: () => Promise<unknown>): void {
  for (const ms of refresh_delays_ms) setTimeout(() => void refresh(), ms)
}
