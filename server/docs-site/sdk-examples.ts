import { existsSync, readFileSync } from 'node:fs'

/** The methods of the SDK, as its generator writes them: each with an example, which its tests compile. */
const file = (name: string): URL => new URL(`../../sdk/src/${name}/methods.gen.ts`, import.meta.url)

const comment = /^ {3}\* [^\n]*`(?<operation>[A-Z]+ \/[^`\n]*)`\n(?<rest>.*?)^ {3}\*\//gms
const example = /^ {3}\* @example\n {3}\* ```ts\n(?<code>.*?)^ {3}\* ```/ms

/** How the SDK calls each operation of an interface, by its method and path; nothing where the SDK is not there. */
export function sdkExamples(name: 'v1' | 'operator'): Map<string, string> {
  if (!existsSync(file(name))) return new Map()
  const found = readFileSync(file(name), 'utf8').matchAll(comment)
  return new Map(
    [...found].flatMap(({ groups = {} }) => {
      const code = example.exec(groups.rest!)?.groups?.code
      return code === undefined ? [] : [[groups.operation!, withoutAnswer(code)] as const]
    }),
  )
}

/** The call alone: what it answers stands beside it on the page. */
const withoutAnswer = (code: string): string =>
  code
    .split('\n')
    .map((line) => line.replace(/^ {3}\* ?/, '').replaceAll('*\\/', '*/'))
    .filter((line) => !line.startsWith('// '))
    .join('\n')
    .trimEnd()
