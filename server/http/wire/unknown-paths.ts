import { generic, Refusal } from '../../kernel/refusal.ts'
import { isMisspelled } from '../../kernel/similar-text.ts'

/**
 * The 404 of a path that the service does not have, with the path that was probably meant. `paths` are those of
 * operations, such as `/v1/employers/{employer_id}`.
 */
export function refuseUnknownPath(paths: string[], requested: string): Refusal {
  const base = requested.startsWith('/operator/') ? '/operator/v1' : '/v1'
  const meant = similarPath(
    paths.filter((path) => path.startsWith(base)),
    requested,
  )
  const hint = meant ? `Did you mean ${meant}?` : `GET ${base}/openapi.json lists the paths.`
  return new Refusal({ ...generic.not_found, message: `This path does not exist. ${hint}` })
}

const isSimilar = (word: string, known: string): boolean => word === known || isMisspelled(word, known)

/** Finds the path without extra slashes, the list that belongs to a resource, or the path without a misspelled word. */
function similarPath(paths: string[], requested: string): string | undefined {
  const path = requested.replace(/\/{2,}/g, '/').replace(/\/$/, '')
  const segments = path.split('/')
  const fits = (isMeant: (segment: string, word: string) => boolean) => (known: string) => {
    const words = known.split('/')
    return words.length === segments.length && words.every((word, index) => isMeant(segments[index]!, word))
  }
  const isSame = (segment: string, word: string) => segment === word || (word.startsWith('{') && segment !== '')
  const below_version = path.replace(/^\/(operator\/)?v1/, '')
  // The end of a path that contains several ids is a poor guess.
  const isNear = (known: string) => known.endsWith(below_version) && known.split('{').length <= 2
  const lists = below_version === '' ? [] : paths.filter(isNear)
  return (
    paths.find(fits(isSame)) ??
    lists.sort((a, b) => a.length - b.length)[0] ??
    paths.find(fits((segment, word) => isSame(segment, word) || isSimilar(segment.toLowerCase(), word)))
  )
}
