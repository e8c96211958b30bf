/** Settings of lists that are stored in this browser. */

/** Reads a stored value. Undefined if the key has no value of the expected type. */
export function readStored<Value>(key: string, isValid: (value: unknown) => value is Value): Value | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isValid(stored) ? stored : undefined
  } catch {
    // Storage may be unavailable, or contain other data under this key.
    return undefined
  }
}

/** Stores a value, if storage is available. */
export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Without storage, the page keeps the value until the user leaves it.
  }
}
