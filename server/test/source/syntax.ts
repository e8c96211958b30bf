import { parseSync } from 'oxc-parser'

/** A syntax node of the TypeScript parser, with the fields that our tests use. */
export type Syntax = {
  type: string
  start: number
  end: number
  name?: string
  operator?: string
  /** the value of a literal, or the node of a property's value */
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

/** The child nodes of a node. */
export const childrenOf = (node: Syntax): Syntax[] => Object.values(node).flat().filter(isSyntax)

export const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
