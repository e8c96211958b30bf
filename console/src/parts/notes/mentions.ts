export type Colleague = { user_id: string; name: string; email?: string | null }

type Named = Pick<Colleague, 'name'>

/** Members with the names that mention them. Members who share a name get their email address or id added to it. */
export const addMentionNames = <One extends Colleague>(members: readonly One[]): One[] =>
  members.map((one) => {
    const is_shared = members.some(({ name, user_id }) => name === one.name && user_id !== one.user_id)
    return is_shared ? { ...one, name: `${one.name} (${one.email ?? one.user_id})` } : one
  })

/** Captures the mentions of members in a text. Of two names that begin the same way, the longer one counts. */
export function mentionPattern(members: readonly Named[]): RegExp {
  const names = members.map(({ name }) => RegExp.escape(name)).toSorted((a, b) => b.length - a.length)
  // Without members, nothing matches.
  return new RegExp(`(@(?:${names.join('|') || '(?!)'})(?![\\p{L}\\p{N}]))`, 'gu')
}

/** Divides members into those mentioned in a text, and all others. */
export function splitByMention<One extends Named>(text: string, members: readonly One[]) {
  const found: readonly string[] = text.match(mentionPattern(members)) ?? []
  const isIn = ({ name }: One) => found.includes(`@${name}`)
  return { here: members.filter(isIn), apart: members.filter((one) => !isIn(one)) }
}

/** The first name in a text that several members share, mentioned without the addition that identifies one of them. */
export function ambiguousMention(text: string, members: readonly Colleague[]): string | undefined {
  const shared = members.filter(({ name, user_id }) =>
    members.some((other) => other.name === name && other.user_id !== user_id),
  )
  const identified = addMentionNames(members)
  return splitByMention(text.replace(mentionPattern(identified), ''), shared).here[0]?.name
}
