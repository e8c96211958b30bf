export type Colleague = { user_id: string; name: string }

/** Captures the mentions of members in a text. Of two names that begin alike, the longer one counts. */
export function patternOf(members: readonly Pick<Colleague, 'name'>[]): RegExp {
  const names = members.map(({ name }) => RegExp.escape(name)).toSorted((a, b) => b.length - a.length)
  // Without members, nothing matches.
  return new RegExp(`(@(?:${names.join('|') || '(?!)'})(?![\\p{L}\\p{N}]))`, 'gu')
}

/** Divides members into those mentioned in a text, and all others. */
export function mentionedIn<One extends Pick<Colleague, 'name'>>(text: string, members: readonly One[]) {
  const found: readonly string[] = text.match(patternOf(members)) ?? []
  const isIn = ({ name }: One) => found.includes(`@${name}`)
  return { here: members.filter(isIn), apart: members.filter((one) => !isIn(one)) }
}
