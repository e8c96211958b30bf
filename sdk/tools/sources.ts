import type { OpenDocument } from './document.ts'
import { errorsSource, methodsSource } from './methods.ts'
import { typesSource } from './types.ts'

const interfaces = [
  { file: 'openapi.json', folder: 'v1', client: 'ob', kind: 'Partner' },
  { file: 'openapi.operator.json', folder: 'operator', client: 'operator', kind: 'Operator' },
] as const

/** The generated sources of the SDK by repository path, from the two OpenAPI documents. */
export async function sdkSources(documents: [partner: string, operator: string]): Promise<Record<string, string>> {
  const sources: Record<string, string> = {}
  const types: string[] = []
  for (const [at, { folder, ...naming }] of interfaces.entries()) {
    const document = JSON.parse(documents[at]!) as OpenDocument
    types.push(await typesSource(document))
    sources[`sdk/src/${folder}/methods.gen.ts`] = methodsSource(document, naming)
    sources[`sdk/src/${folder}/errors.gen.ts`] = errorsSource(document, naming)
  }
  const { shared, own } = shareTypes(types)
  sources['sdk/src/shared/types.gen.ts'] =
    `// Generated from openapi.json and openapi.operator.json by npm run gen.\n\n${shared}`
  for (const [at, { folder, file }] of interfaces.entries())
    sources[`sdk/src/${folder}/types.gen.ts`] = `// Generated from ${file} by npm run gen.\n\n${own[at]}`
  return sources
}

type Declaration = { name: string; text: string; uses: string[] }

const declaration = /(?:\/\*\*\n(?: \*.*\n)*? \*\/\n)?export type (\w+) = [^]*?;\n(?=\n|$)/g

const declarationsOf = (source: string): Declaration[] =>
  [...source.matchAll(declaration)].map(([text, name]) => ({
    name: name!,
    text,
    uses: text
      .replaceAll(/\/\*\*.*?\*\//gs, '')
      .replaceAll(/'[^']*'/g, '')
      .match(/\b[A-Z]\w*/g)!,
  }))

/**
 * Moves types that both APIs declare identically into one shared source, which both re-export. A type is shared if its
 * text is the same in both and every type it uses is shared.
 */
export function shareTypes(sources: string[]): { shared: string; own: string[] } {
  const [first, ...others] = sources.map(declarationsOf) as [Declaration[], ...Declaration[][]]
  const alike = first.filter(({ text }) => others.every((those) => those.some((one) => one.text === text)))
  const names = new Set(alike.map(({ name }) => name))
  const declared = new Set(first.map(({ name }) => name))
  const isClosed = ({ uses }: Declaration) => uses.every((name) => names.has(name) || !declared.has(name))
  for (let before = -1; before !== names.size;) {
    before = names.size
    for (const one of alike) if (!isClosed(one)) names.delete(one.name)
  }
  const textOf = (declarations: Declaration[]) => declarations.map(({ text }) => text).join('\n')
  return {
    shared: textOf(first.filter(({ name }) => names.has(name))),
    own: [first, ...others].map((all) => {
      const left = all.filter(({ name }) => !names.has(name))
      const used = [...new Set(left.flatMap(({ uses }) => uses))].filter((name) => names.has(name)).toSorted()
      return [
        `import type {\n${used.map((name) => `  ${name},\n`).join('')}} from '../shared/types.gen.ts'\n`,
        `export type * from '../shared/types.gen.ts'\n`,
        textOf(left),
      ].join('\n')
    }),
  }
}
