import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useRef, useState } from 'react'

/** For so long after an action a click is the second of a double one: the row it was meant for has made room for another. */
const double_click_ms = 400

/** A mutation by a button: whoever clicks twice means it once. */
export function useAction<Done, Said = void>(options: UseMutationOptions<Done, Error, Said>) {
  const action = useMutation(options)
  const is_busy = useRef(false)
  const [isPending, setPending] = useState(false)
  const free = () => {
    is_busy.current = false
    setPending(false)
  }
  const mutate = (said: Said) => {
    if (is_busy.current) return
    is_busy.current = true
    setPending(true)
    action.mutate(said, { onSettled: () => setTimeout(free, double_click_ms) })
  }
  return { ...action, mutate, isPending }
}
