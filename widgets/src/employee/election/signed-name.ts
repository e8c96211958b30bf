const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Pd}/gu, ' ')
    .replaceAll(/[^\p{L}\s]/gu, '')
    .split(/\s+/)

/** Whether a signature contains a name, regardless of case, accents, hyphens, apostrophes and the order of words. */
export function containsName(signature: string, name: string): boolean {
  const words = wordsOf(signature)
  return wordsOf(name).every((word) => words.includes(word))
}
