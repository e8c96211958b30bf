/** What an answer says: ids of who acted, ids that refused requests named, and all else as a text. */
type Said = { actors: string[]; refused: string[]; rest: string }

type Entry = { outcome?: unknown }
type Actor = { id: string }

const isActor = (key: string, value: unknown): value is Actor =>
  key === 'actor' && typeof (value as Partial<Actor> | null)?.id === 'string'

/**
 * Takes apart what the audit trail, or the evidence of an enrollment, says to an organization: who acted is not always
 * of its own, and what was named in vain may be anything. Of a bound token the key comes before a slash.
 */
export function takeApart(told: unknown): Said {
  const actors: string[] = []
  const refused: string[] = []
  const rest = JSON.stringify(told, function (this: Entry, key, value: unknown) {
    if (isActor(key, value)) {
      const [credential, ...bound] = value.id.split('/')
      actors.push(credential!)
      return { ...value, id: bound.join('/') }
    }
    if (key !== 'resource_id' || this.outcome !== 'refused') return value
    refused.push(String(value))
    return undefined
  })
  return { actors, refused, rest: rest ?? '' }
}
