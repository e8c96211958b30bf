/** Settings of lists that are stored in this browser. */

/** The stored value of a key. Undefined without a value of the expected kind. */
export function readStored<Value>(key: string, isValid: (value: unknown) => value is Value): Value | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isValid(stored) ? stored : undefined
  } catch {
    // Storage may be unavailable, or contain other data under this key.
    return undefined
  }
}

/** Stores a value. Without storage, it lasts until the user leaves the page. */
export function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // The page keeps the value.
  }
}
