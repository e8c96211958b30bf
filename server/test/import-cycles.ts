import { posix } from 'node:path'
import { childrenOf, syntaxOf } from '../tools/syntax.ts'
import type { Files } from './architecture.ts'

/**
 * The import cycles of a tree: sets of files that all import each other through static imports of values and types, as
 * lists of files in order. Uses Tarjan's algorithm for strongly connected components.
 */
export function importCycles(files: Files): string[][] {
  const found: string[][] = []
  const numbers = new Map<string, number>()
  const open: string[] = []
  /** Visits a file and returns the lowest number of an open file reachable from it. */
  const visit = (path: string): number => {
    const number = numbers.size
    numbers.set(path, number)
    open.push(path)
    let lowest = number
    for (const target of importsOf(path, files[path]!)) {
      if (!(target in files)) continue
      if (!numbers.has(target)) lowest = Math.min(lowest, visit(target))
      else if (open.includes(target)) lowest = Math.min(lowest, numbers.get(target)!)
    }
    if (lowest === number) {
      const batched = open.splice(open.indexOf(path))
      if (batched.length > 1) found.push(batched.sort())
    }
    return lowest
  }
  for (const path of Object.keys(files)) if (!numbers.has(path)) visit(path)
  return found
}

/** The files that a file imports, as paths from the root. */
function importsOf(path: string, text: string): string[] {
  return childrenOf(syntaxOf(path, text)).flatMap(({ type, source }) => {
    const name = /^(?:Import|ExportNamed|ExportAll)Declaration$/.test(type) ? source?.value : undefined
    return typeof name === 'string' && name.startsWith('.') ? [posix.join(posix.dirname(path), name)] : []
  })
}
