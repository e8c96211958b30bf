import { childrenOf, syntaxOf, type Syntax } from './syntax.ts'

/** The limits of functions, files and lines. */
export const most = { function_lines: 60, file_lines: 400, line_characters: 120 }

/** The violations of a file, with names that stay the same when lines move. */
export function beyondLimits(path: string, text: string): string[] {
  const lines = text.split('\n')
  const long_lines = lines.filter((line) => line.length > most.line_characters).length
  return [
    ...(lines.length - 1 > most.file_lines ? [`${path}: more than ${most.file_lines} lines`] : []),
    ...(long_lines > 0 ? [`${path}: lines over ${most.line_characters} characters`] : []),
    ...longFunctions(text, path).map((name) => `${path}: ${name} has more than ${most.function_lines} lines`),
  ]
}

function longFunctions(text: string, path: string): string[] {
  // A describe block of a test may contain many tests.
  if (!path.endsWith('.ts') || path.endsWith('.test.ts')) return []
  const found: string[] = []
  const visit = (node: Syntax, name: string) => {
    const own = node.id?.name ?? node.key?.name ?? name
    const is_function = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)
    if (is_function && text.slice(node.start, node.end).split('\n').length > most.function_lines) found.push(own)
    for (const child of childrenOf(node)) visit(child, own)
  }
  visit(syntaxOf(path, text), 'a function')
  return [...new Set(found)]
}

/** The names of the types that a file declares, exported or not. */
export const declaredTypes = (text: string): string[] =>
  [...text.matchAll(/^(?:export )?(?:type|interface|class|abstract class) (\w+)/gm)].map((match) => match[1]!)
