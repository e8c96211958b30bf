import type { Endpoint } from '../endpoint.ts'

/** The SDK group and method of each operation, such as `hris.listRuns`. Throws if two operations have the same name. */
export function sdkNamesOf(endpoints: Endpoint[]): Map<Endpoint, string> {
  const names = new Map(endpoints.map((endpoint) => [endpoint, sdkNameOf(endpoint)]))
  for (const [name, [one, other]] of Map.groupBy(endpoints, (endpoint) => names.get(endpoint)!))
    if (one && other)
      throw new Error(
        `${one.operation} and ${other.operation} have the same SDK name ${name}. Declare \`sdk\` on one of them.`,
      )
  return names
}

/**
 * The record of an operation may declare its name. Otherwise it follows from its id, if that starts with the first part
 * of the path or with the tag. Operator operations use the tag as the group and do not repeat it in the method.
 */
function sdkNameOf({ operation, path, tag, sdk }: Endpoint): string {
  if (sdk) return sdk
  const section = snake(tag)
  const tenant = [snake(path.split('/')[2]!), section].find((prefix) => operation.startsWith(`${prefix}_`))
  if (tenant) return `${camel(tenant)}.${camel(operation.slice(tenant.length + 1))}`
  const action = operation
    .replace(/^operator_/, '')
    .replace(new RegExp(`_(${section}|${section.slice(0, -1)})(?=_|$)`), '')
  return `${camel(section)}.${camel(action)}`
}

const snake = (words: string): string => words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')

/** `list_runs` in camel case: `listRuns`. */
const camel = (words: string): string => words.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
