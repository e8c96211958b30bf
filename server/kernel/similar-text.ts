/** The number of letters to insert, remove or replace to turn one text into another. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...a].entries()) {
    const next = [row + 1]
    for (let index = 0; index < b.length; index++) {
      const replaced = above[index]! + (letter === b[index] ? 0 : 1)
      next.push(Math.min(replaced, above[index + 1]! + 1, next[index]! + 1))
    }
    above = next
  }
  return above.at(-1)!
}

/** Whether a text is probably another one with a typing error: two letters differ, or one in a short text. */
export function isMisspelled(text: string, meant: string): boolean {
  const most = Math.min(text.length, meant.length) < 8 ? 1 : 2
  return text !== meant && Math.abs(text.length - meant.length) <= most && editDistance(text, meant) <= most
}

/** The name that a misspelled text most resembles, regardless of case. Undefined if it resembles none. */
export function nearestName(text: string, names: string[]): string | undefined {
  const lower = text.toLowerCase()
  const near = names.filter((name) => name.toLowerCase() === lower || isMisspelled(lower, name.toLowerCase()))
  const distance = (name: string) => editDistance(lower, name.toLowerCase())
  return near.sort((a, b) => distance(a) - distance(b))[0]
}
