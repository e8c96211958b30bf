import type { OpenDocument } from './document.ts'
import { errorsSource, methodsSource } from './methods.ts'
import { shareTypes } from './shared-types.ts'
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
