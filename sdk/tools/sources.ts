import type { OpenDocument } from './document.ts'
import { methodsSource } from './methods.ts'
import { typesSource } from './types.ts'

const interfaces = [
  { file: 'openapi.json', folder: 'v1', client: 'ob', kind: 'Partner' },
  { file: 'openapi.operator.json', folder: 'operator', client: 'operator', kind: 'Operator' },
] as const

/** The generated sources of the SDK, by their places in the repository, from the documents of the two interfaces. */
export async function sdkSources(documents: [partner: string, operator: string]): Promise<Record<string, string>> {
  const sources: Record<string, string> = {}
  for (const [at, { folder, ...naming }] of interfaces.entries()) {
    const document = JSON.parse(documents[at]!) as OpenDocument
    sources[`sdk/src/${folder}/types.gen.ts`] = await typesSource(document, naming.file)
    sources[`sdk/src/${folder}/methods.gen.ts`] = methodsSource(document, naming)
  }
  return sources
}
