/** The first of a list, which is not empty. */
export function first<T>(list: readonly T[]): T {
  if (list.length === 0) throw new Error('There is none at all.')
  return list[0] as T
}

/** What a list holds, which is one alone. */
export function only<T>(list: readonly T[]): T {
  if (list.length !== 1) throw new Error(`There are ${list.length}, and not one alone.`)
  return list[0] as T
}

/** The first of a list that fits; somebody does. */
export function pick<T>(list: readonly T[], fits: (one: T) => unknown): T {
  const at = list.findIndex(fits)
  if (at < 0) throw new Error(`None of ${list.length} fits.`)
  return list[at] as T
}

/** What is there for sure. */
export function sure<T>(one: T | null | undefined): T {
  if (one === null || one === undefined) throw new Error(`It is ${one}.`)
  return one
}

/** The first two of a list. */
export function two<T>(list: readonly T[]): [T, T] {
  if (list.length < 2) throw new Error(`There are ${list.length}, and not two.`)
  return [list[0] as T, list[1] as T]
}
