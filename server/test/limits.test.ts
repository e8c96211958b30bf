import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryFiles, root } from './source/repository-files.ts'
import { known_beyond_limits, retired_words } from './limits-known.ts'
import { childrenOf, syntaxOf, type Syntax } from './source/syntax.ts'

/**
 * The limits of functions, files and lines. A component may have 80 lines, because the formatter gives each element and
 * each attribute of its markup a line.
 */
const most = { function_lines: 60, component_lines: 80, file_lines: 400, line_characters: 120 }

/** The violations of a file, with names that stay the same when lines move. */
function beyondLimits(path: string, text: string): string[] {
  const lines = text.split('\n')
  const at_most = path.endsWith('.tsx') ? most.component_lines : most.function_lines
  const long_lines = lines.filter((line) => line.length > most.line_characters).length
  return [
    ...(lines.length - 1 > most.file_lines ? [`${path}: more than ${most.file_lines} lines`] : []),
    ...(long_lines > 0 ? [`${path}: lines over ${most.line_characters} characters`] : []),
    ...longFunctions(text, path, at_most).map((name) => `${path}: ${name} has more than ${at_most} lines`),
  ]
}

function longFunctions(text: string, path: string, most_lines: number): string[] {
  // A describe block of a test may contain many tests.
  if (!/\.tsx?$/.test(path) || /\.test\.ts$|\/journeys\//.test(path)) return []
  const found: string[] = []
  const visit = (node: Syntax, name: string) => {
    const own = node.id?.name ?? node.key?.name ?? name
    const is_function = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)
    if (is_function && text.slice(node.start, node.end).split('\n').length > most_lines) found.push(own)
    for (const child of childrenOf(node)) visit(child, own)
  }
  visit(syntaxOf(path, text), 'a function')
  return [...new Set(found)]
}

/** The names of the types that a file declares, whether exported or not. */
const declaredTypes = (text: string): string[] =>
  [...text.matchAll(/^(?:export )?(?:type|interface|class|abstract class) (\w+)/gm)].map((match) => match[1]!)

const generated = ['server/schema.sql', 'server/database/sql/statement-types.ts', 'server/test/contract-types.ts']
const sources = repositoryFiles('cli', 'console', 'packages', 'sdk', 'server', 'ui', 'widgets')
  .filter((path) => /(?<!\.gen)\.(?:tsx?|css|js|sql)$/.test(path))
  .filter((path) => !path.startsWith('server/migrations/') && !generated.includes(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const code = sources.filter(
  ({ path }) => path.endsWith('.ts') && !/\.(?:test|d)\.ts$|^\w+\/(?:test|bench)\//.test(path),
)

describe('detects a violation:', () => {
  const lines = (count: number, line = 'x') => `${`${line}\n`.repeat(count)}`

  it.each([
    ['a file', lines(most.file_lines + 1), 'a.ts: more than 400 lines'],
    ['a line', `const a = '${'x'.repeat(most.line_characters)}'\n`, 'a.ts: lines over 120 characters'],
    ['a function', `function long() {\n${lines(most.function_lines)}}\n`, 'a.ts: long has more than 60 lines'],
    ['an arrow', `const long = () => {\n${lines(most.function_lines)}}\n`, 'a.ts: long has more than 60 lines'],
  ])('%s', (_, text, found) => expect(beyondLimits('a.ts', text)).toEqual([found]))

  it('a component', () => {
    const component = (count: number) => `const Long = () => {\n${lines(count)}}\n`
    expect(beyondLimits('a.tsx', component(most.component_lines - 2))).toEqual([])
    expect(beyondLimits('a.tsx', component(most.component_lines))).toEqual(['a.tsx: Long has more than 80 lines'])
  })

  it('but ignores a short function', () => {
    expect(beyondLimits('a.ts', `function short() {\n${lines(most.function_lines - 2)}}\n`)).toEqual([])
  })
})

it('has exactly the listed violations', () => {
  expect(sources.flatMap(({ path, text }) => beyondLimits(path, text)).sort()).toEqual(known_beyond_limits)
})

it('has unique names of types', () => {
  const files = new Map<string, Set<string>>()
  for (const { path, text } of code)
    for (const name of declaredTypes(text).map((name) => `${path.split('/')[0]} ${name}`))
      files.set(name, (files.get(name) ?? new Set()).add(path))
  const shared = [...files].filter(([, paths]) => paths.size > 1).map(([name]) => name)
  expect(shared.sort()).toEqual([])
})

it('names limits with max and min, and defaults with default', () => {
  const other = /\b(?:const|let) (?:most|least|fewest|longest|usual)_\w+ = [\d(]/
  expect(sources.filter(({ text }) => other.test(text)).map(({ path }) => path)).toEqual([])
})

it.each(retired_words.map(([word, instead]) => ({ word, instead })))(
  'does not use the retired $word: use $instead',
  ({ word, instead }) => {
    const retired = new RegExp(`\\b${word}\\b`)
    const found = sources
      .filter(({ path }) => !path.startsWith('server/test/limits') && path !== 'server/test/source/language.ts')
      .filter(({ text }) => retired.test(text))
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, at) => (retired.test(line) ? [`${path}:${at + 1}`] : [])),
      )
    expect(found, `use ${instead}`).toEqual([])
  },
)
