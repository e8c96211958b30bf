import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Sandbox } from '../sandbox/open.ts'
import type { Story } from '../sandbox/story.ts'
import type { Api } from './harness.ts'

/** What a document has its reader paste, and what it shows below. */
export type Step = { pasted: string; shown: string }

const root = join(import.meta.dirname, '../..')

/** The steps of a document, by its path from the root, between two of its lines. */
export function stepsOf(path: string, from: string, to: string): Step[] {
  const text = readFileSync(join(root, path), 'utf8').split(`\n${from}\n`)[1]!.split(`\n${to}`)[0]!
  const steps: Step[] = []
  for (const [, language, block = ''] of text.matchAll(/```(\w*)\n(.*?)```/gs)) {
    if (language === 'sh') steps.push({ pasted: block, shown: '' })
    else steps.at(-1)!.shown += block
  }
  return steps
}

const end_of_step = '--- end of a step ---'

/**
 * Pastes steps into one shell, in the folder of a sandbox; whenever the reader would `sleep`, its worker works. Returns
 * what each step said, and what they complained of.
 */
export async function paste(api: Api, story: Story, steps: Step[]): Promise<{ said: string[]; complaints: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'openbenefits-pasted-'))
  const sandbox: Sandbox = { base_url: api.url, sign_in_url: '', ...story }
  mkdirSync(join(folder, '.data'))
  writeFileSync(join(folder, '.data/sandbox.json'), JSON.stringify(sandbox))
  const worker = createServer((_, response) => void api.work().then(() => response.end()))
  worker.listen(0, '127.0.0.1')
  await once(worker, 'listening')
  const { port } = worker.address() as AddressInfo
  const blocks = steps.map(({ pasted }) => `${pasted}\necho '${end_of_step}'\n`).join('')
  const script = `sleep() { curl -s http://127.0.0.1:${port}/; }\n${blocks}`
  try {
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], {
      cwd: folder,
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    })
    return { said: stdout.split(`${end_of_step}\n`).slice(0, -1), complaints: stderr }
  } finally {
    worker.close()
    rmSync(folder, { recursive: true })
  }
}

/** An answer, line by line, without what differs each time: ids, instants, days and years. */
export const masked = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replace(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, '$1_…')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'instant')
        .replace(/\d{4}-\d\d-\d\d/g, 'day')
        .replace(/"year":\d{4}/, '"year":0'),
    )
    .map((line) => (line.startsWith('{') ? JSON.parse(line) : line))
