import { readFileSync } from 'node:fs'
import { printJson } from '../../kernel/formats/print-json.ts'
import { openOperations, type Documented, type Interface } from './interfaces.ts'
import { openapiOf } from './openapi.ts'

/** The responses of the sandbox that serve as examples, by their schema names; see examples.test.ts. */
export const exampleResponses = JSON.parse(
  readFileSync(new URL('./example-responses.json', import.meta.url), 'utf8'),
) as Record<string, unknown>

/**
 * The OpenAPI document of an interface as it is committed. It is deterministic: the same operations give the same text.
 */
export function documentOf(each: Interface, documented: Documented): string {
  const own = documented.endpoints.filter((endpoint) => endpoint.path.startsWith(each.prefix))
  return printJson(
    openapiOf(own, each.about, {
      open: openOperations(each, documented),
      examples: exampleResponses,
      ...(each.webhooks && { webhooks: each.webhooks }),
    }),
  )
}
