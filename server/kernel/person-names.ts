/** Names as they are stored, searched and compared. */

/** Letters whose accent Unicode does not take apart. */
const plainLetters: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe', ħ: 'h' }

/** Printable characters of ASCII, with single spaces between them. */
const plain = /^[!-~]+(?: [!-~]+)*$/

/** A name without case and accents, its spaces single: how names are stored beside the person, and searched. */
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
    .replace(/[łøđðþæœħ]/g, (letter) => plainLetters[letter]!)

/** First and last name as they are stored beside the person. */
export const nameKey = (person: NamedPerson): string => `${foldName(person.first_name)}|${foldName(person.last_name)}`

/**
 * What people write in a name or leave out of it: spaces, apostrophes, hyphens, and what can't be seen. The function
 * `sound` of the database, over which names are found, leaves out the same.
 */
const unheard =
  /[ '`\u00b4\u02b9\u02bb-\u02bf\u02c8\u2018\u2019\u201b\u2032\-\u058a\u05be\u2010-\u2015\u2212\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\ufe00-\ufe0f]/g

/** A name as it is compared: O’Brien is Obrien, and Anne-Marie is Annemarie. */
export const soundOf = (name: string): string => foldName(name).replace(unheard, '')

type NamedPerson = { first_name: string; last_name: string }

/** Whether two names are one as they are compared. */
export const soundAlike = (a: string, b: string): boolean => a === b || soundOf(a) === soundOf(b)

/** First and last name as they are compared, in one text. */
export const soundKey = (person: NamedPerson): string => `${soundOf(person.first_name)}|${soundOf(person.last_name)}`
