import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vitepress'
import { writeGeneratedPages } from './generated-pages.ts'
import { generated_folder } from './pages.ts'

const root = join(import.meta.dirname, '..')
writeGeneratedPages(root)
try {
  await build(import.meta.dirname, { outDir: process.argv[2] ?? 'docs-site/dist' })
} finally {
  rmSync(join(root, generated_folder), { recursive: true })
}
