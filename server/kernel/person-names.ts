/** Letters that Unicode does not decompose into a base letter and an accent. */
// oxfmt-ignore
const plainLetters: Record<string, string> = {
  ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe', ħ: 'h', ı: 'i', ß: 'ss',
}

/** Replaces accented letters and ligatures with plain ones, and keeps upper and lower case. Keeps other alphabets. */
export const removeAccents = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[łøđðþæœħıß]/giu, (letter) => {
      const letters = plainLetters[letter.toLowerCase()] ?? letter
      return letter === letter.toLowerCase() ? letters : letters[0]!.toUpperCase() + letters.slice(1)
    })

/** Printable ASCII characters with single spaces between them. */
const plain = /^[!-~]+(?: [!-~]+)*$/

/** Folds a name: without case and accents, and with single spaces. Names are stored and searched in this form. */
export const foldName = (name: string): string =>
  plain.test(name)
    ? name.toLowerCase()
    : (/^[\x20-\x7e]*$/.test(name) ? name.toLowerCase() : foldLetters(name)).replace(/\s+/g, ' ').trim()

const foldLetters = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[łøđðþæœħß]/g, (letter) => plainLetters[letter]!)

/** The first and last name in their form for searches, as stored with the person. */
export const nameKey = (person: NamedPerson): string =>
  `${searchableName(person.first_name)}|${searchableName(person.last_name)}`

/**
 * Characters that people often omit from names: apostrophes, hyphens and invisible characters. The database function
 * `comparable_name`, which indexes names, omits the same ones and spaces.
 */
const silent_characters =
  /['`\u00b4\u02b9\u02bb-\u02bf\u02c8\u2018\u2019\u201b\u2032\-\u058a\u05be\u2010-\u2015\u2212\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\ufe00-\ufe0f]/g

/** A name as stored and searched: O’Brien is found as obrien. Words stay apart, with single spaces. */
export const searchableName = (name: string): string =>
  foldName(name).replace(silent_characters, '').replace(/ {2,}/g, ' ').trim()

/**
 * The full names that a folded search can mean: the first words are the first name and the others the last name, or the
 * other way around.
 */
export function fullNamesOf(search: string): { first_names: string[]; last_names: string[] } {
  const words = search.split(' ')
  const pairs = words.slice(1).flatMap((_, index) => {
    const [start, rest] = [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')]
    return [
      [start, rest],
      [rest, start],
    ] as [string, string][]
  })
  return { first_names: pairs.map(([first]) => first), last_names: pairs.map(([, last]) => last) }
}

/** A name as it is compared: O’Brien equals Obrien, and Anne-Marie equals Annemarie. */
export const comparableName = (name: string): string => searchableName(name).replaceAll(' ', '')

type NamedPerson = { first_name: string; last_name: string }

/** Whether two names compare equal. */
export const isSameName = (a: string, b: string): boolean => a === b || comparableName(a) === comparableName(b)

/** The first and last name in their form for comparison, joined. */
export const comparableNameKey = (person: NamedPerson): string =>
  `${comparableName(person.first_name)}|${comparableName(person.last_name)}`
