import { useEffect, useState } from 'react'

/** Debounces a value, so that dragging a slider does not send a request per step. */
export function useDebounced<T>(value: T): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const wait = setTimeout(() => setDebounced(value), 250)
    return () => clearTimeout(wait)
  }, [value])
  return debounced
}
