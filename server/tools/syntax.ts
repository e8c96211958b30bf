import { parseSync } from 'oxc-parser'

/** A piece of TypeScript as the parser tells of it, with what our tests ask of it. */
export type Syntax = {
  type: string
  start: number
  end: number
  name?: string
  operator?: string
  /** of a literal what it says, of a property another piece */
  value?: unknown
  source?: Syntax
  expression?: Syntax
  expressions?: Syntax[]
  quasis?: { value: { cooked: string } }[]
  left?: Syntax
  right?: Syntax
  property?: Syntax
  key?: Syntax
  id?: Syntax
  init?: Syntax
  consequent?: Syntax
  alternate?: Syntax
}

export const syntaxOf = (path: string, text: string): Syntax => parseSync(path, text).program as unknown as Syntax

/** The pieces that a piece is made of. */
export const childrenOf = (piece: Syntax): Syntax[] => Object.values(piece).flat().filter(isSyntax)

export const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
