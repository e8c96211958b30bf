/** The first item of a list. Throws if the list is empty. */
export function first<T>(list: readonly T[]): T {
  if (list.length === 0) throw new Error('The list is empty.')
  return list[0] as T
}

/** The only item of a list. Throws if the list has another length. */
export function only<T>(list: readonly T[]): T {
  if (list.length !== 1) throw new Error(`The list has ${list.length} items instead of one.`)
  return list[0] as T
}

/** The first matching item of a list. Throws if no item matches. */
export function pick<T>(list: readonly T[], fits: (one: T) => unknown): T {
  const at = list.findIndex(fits)
  if (at < 0) throw new Error(`None of ${list.length} items match.`)
  return list[at] as T
}

/** The value, if it is not null or undefined. Throws otherwise. */
export function sure<T>(one: T | null | undefined): T {
  if (one === null || one === undefined) throw new Error(`The value is ${one}.`)
  return one
}

/** The first two items of a list. Throws if the list is shorter. */
export function two<T>(list: readonly T[]): [T, T] {
  if (list.length < 2) throw new Error(`The list has ${list.length} items instead of two.`)
  return [list[0] as T, list[1] as T]
}
