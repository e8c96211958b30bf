import type { Day } from 'openbenefits'
import { isMonth } from '../format.ts'

/** The search of a URL. A list is a repeated key, and every value is text. */
export type Search = Record<string, unknown>

/** Makes each field of a search optional, so that links may omit it. */
export const optional = <Fields extends Search>(fields: Fields): { [Name in keyof Fields]?: Fields[Name] } => fields

export const parseText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const parseDay = (value: unknown): Day | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(parseText(value) ?? '') ? (value as Day) : undefined

export const parseMonth = (value: unknown): string | undefined =>
  isMonth(parseText(value) ?? '') ? parseText(value) : undefined

/** The values of a repeated key that are known. */
export const parseList = <const T extends string>(value: unknown, known: readonly T[]): T[] | undefined => {
  const found = known.filter((one) => [value].flat().includes(one))
  return found.length > 0 ? found : undefined
}

export const parseChoice = <const T extends string>(value: unknown, known: readonly T[]): T | undefined =>
  parseList(value, known)?.[0]

export const parseTexts = (value: unknown): string[] | undefined => {
  const found = [value].flat().map(parseText)
  return found.every((one) => one !== undefined) ? found : undefined
}

export const parseYes = (value: unknown) => parseChoice(value, ['yes'])

export function parseSearch(query: string): Search {
  const parameters = new URLSearchParams(query)
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}

export function stringifySearch(search: Search): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    for (const one of [value].flat()) if (one !== undefined) parameters.append(name, String(one))
  return parameters.size > 0 ? `?${parameters}` : ''
}
