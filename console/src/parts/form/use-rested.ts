import { useEffect, useState } from 'react'

/** Debounces a value, so that a moving slider does not send a request per step. */
export function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const wait = setTimeout(() => setRested(value), 250)
    return () => clearTimeout(wait)
  }, [value])
  return rested
}
