import { typeid } from 'typeid-js'

/** Every kind of thing that has an id, by the prefix of its id (decisions.md, section 1). */
export const prefixes = [
  'org',
  'usr',
  'key',
  'opkey',
  'sess',
  'inv',
  'empr',
  'sub',
  'epol',
  'carr',
  'bprd',
  'pln',
  'tier',
  'plyr',
  'mbr',
  'empl',
  'csyn',
  'grp',
  'grpmbr',
  'grpmsr',
  'hris',
  'hrun',
  'enrl',
  'dep',
  'qle',
  'stmt',
  'madj',
  'wevt',
  'wsub',
  'wdlv',
  'aud',
  'omat',
] as const

export type Prefix = (typeof prefixes)[number]

/** What a path may name: an id with a prefix, or a text of 1 to 255 characters, such as an outside system's id. */
export type ParamKind = Prefix | 'text'

/** A new id, sortable by the moment it was made: `empr_01jabc…`. */
export const newId = (prefix: Prefix): string => typeid(prefix).toString()

/** The regular expression of an id with this prefix. */
export const idPattern = (prefix: Prefix): RegExp => new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`)

const patterns = new Map(prefixes.map((prefix) => [prefix, idPattern(prefix)]))

/** Whether the text is a well-formed id with this prefix. */
export const isId = (prefix: Prefix, text: string): boolean => patterns.get(prefix)!.test(text)

/** Whether the text is something that a path may name by this kind. */
export const isParam = (kind: ParamKind, text: string): boolean =>
  kind === 'text' ? /^\P{Cc}{1,255}$/u.test(text) : isId(kind, text)
