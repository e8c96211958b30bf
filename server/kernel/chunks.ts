/** Items in their order, in pieces of a size; the last one has what is left. */
export const chunksOf = <Item>(items: Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/** The last of a chunk, when it is full and more may follow; null when it was the last chunk. */
export const lastOf = (ids: string[], { most }: { most: number }): string | null =>
  ids.length < most ? null : ids.at(-1)!
