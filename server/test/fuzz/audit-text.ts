/** The content of a response: the ids of actors, the ids in refused requests, and everything else as text. */
type AuditParts = { actors: string[]; refused: string[]; rest: string }

type Entry = { outcome?: unknown }
type Actor = { id: string }

const isActor = (key: string, value: unknown): value is Actor =>
  key === 'actor' && typeof (value as Partial<Actor> | null)?.id === 'string'

/**
 * Separates the parts of an audit log or an enrollment's evidence. Actors may belong to other organizations, and ids in
 * refused requests may be any. The key of a bound token comes before a slash.
 */
export function separateActors(value: unknown): AuditParts {
  const actors: string[] = []
  const refused: string[] = []
  const rest = JSON.stringify(value, function (this: Entry, key, value: unknown) {
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
