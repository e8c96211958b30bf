import { readFile, writeFile } from 'node:fs/promises'
import { documentOf, interfaces } from './docs.ts'

type Generated = { file: URL; content: string }

const root = new URL('../', import.meta.url)

/** Every file of the repository that is written by a program. */
const generated = async (): Promise<Generated[]> =>
  interfaces.map((each) => ({ file: new URL(each.file, root), content: documentOf(each) }))

const isCurrent = async ({ file, content }: Generated): Promise<boolean> =>
  (await readFile(file, 'utf8').catch(() => '')) === content

/** Writes the generated files; with `--check` only tells, by its exit code, whether they are up to date. */
const check = process.argv.includes('--check')
for (const each of await generated()) {
  if (await isCurrent(each)) continue
  const name = each.file.pathname.slice(root.pathname.length)
  if (check) {
    process.stderr.write(`${name} is not what the code says; run npm run gen and commit it.\n`)
    process.exitCode = 1
  } else {
    await writeFile(each.file, each.content)
    process.stdout.write(`${name} written\n`)
  }
}
