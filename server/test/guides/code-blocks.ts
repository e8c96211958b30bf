import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Sandbox } from '../../sandbox/open.ts'
import type { Story } from '../../sandbox/story.ts'
import type { Api } from '../harness.ts'

/** A command of a document, and the output shown for it. */
export type Step = { command: string; shown: string }

const root = join(import.meta.dirname, '../../..')
export const readDocument = (path: string) => readFileSync(join(root, path), 'utf8')

/** A code block with its language and the heading above it. */
export type Block = { heading: string; language: string; more: string; code: string }

/** The blocks of a document, in order. */
export function blocksIn(text: string): Block[] {
  const found = text.matchAll(/^## (?<heading>[^\n]*)$|^```(?<language>\w*)(?<more>[^\n]*)\n(?<code>.*?)^```$/gms)
  let here = ''
  return [...found].flatMap(({ groups = {} }) => {
    const { heading, language = '', more = '', code } = groups
    if (heading !== undefined) here = heading
    return code === undefined ? [] : [{ heading: here, language, more, code }]
  })
}

/** The program formed by the blocks of a document in tabs with this name, as a list of blocks. */
export const programIn = (path: string, tab: string): string[] =>
  blocksIn(readDocument(path)).flatMap(({ more, code }) => (more === ` tab="${tab}"` ? [code] : []))

/** Whether a block shows the response to the commands before it under the same heading. */
const isShown = ({ language, more }: Block) => more === '' && (language === '' || language === 'json')

/** The code of the only block of a document that begins with this text. */
export function blockOf(path: string, beginning: string): string {
  const found = blocksIn(readDocument(path)).filter(({ code }) => code.startsWith(beginning))
  if (found.length !== 1) throw new Error(`${found.length} blocks of ${path} begin with ${beginning}.`)
  return found[0]!.code
}

/** The steps in blocks. Text before the first command and programs belong to no step. */
export function stepsIn(blocks: Block[]): Step[] {
  const steps: (Step & { heading: string })[] = []
  for (const block of blocks) {
    const former = steps.at(-1)
    if (block.language === 'sh') steps.push({ heading: block.heading, command: block.code, shown: '' })
    else if (isShown(block) && former?.heading === block.heading) former.shown += block.code
  }
  return steps
}

/** The steps of a document, by its path from the root, between two of its lines. */
export function stepsOf(path: string, from: string, to: string): Step[] {
  const part = readDocument(path).split(`\n${from}\n`)[1]!.split(`\n${to}`)[0]!
  return stepsIn(blocksIn(part))
}

/** The machine's own Node, version 20 or later and older than the one running the tests. Undefined if not installed. */
export function nodeOfMachine(): string | undefined {
  const own = Number(process.versions.node.split('.')[0])
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))
    .filter((path) => existsSync(path))
    .find((path) => {
      const major = Number(execFileSync(path, ['-p', 'process.versions.node']).toString().split('.')[0])
      return major >= 20 && major < own
    })
}

const end_of_step = '--- end of a step ---'

/**
 * A program that evaluates expressions as `node -p` does, but in one process. It receives an expression and the
 * standard input, and sends the output, the errors and the exit code. A NUL ends each.
 */
const evaluator = `
  const [own, { format }, { runInThisContext }] = [require, require('util'), require('vm')]
  let input, errors
  globalThis.require = (name) => (name === 'fs' ? { readFileSync: () => input } : own(name))
  console.error = (text) => (errors += text + '\\n')
  process.exit = (code) => { throw { code } }
  function evaluate(expression) {
    try {
      return [format(runInThisContext('{' + expression + '\\n}')) + '\\n', errors, 0]
    } catch (error) {
      return error.code === 1 ? ['', errors, 1] : ['', error.stack + '\\n', 1]
    }
  }
  const server = require('net').createServer((socket) => {
    let received = ''
    socket.setEncoding('utf8').on('error', () => undefined).on('data', (text) => {
      received += text
      const [expression, given, rest] = received.split('\\0')
      if (rest === undefined) return
      input = given
      errors = ''
      socket.end(evaluate(expression).map((part) => part + '\\0').join(''))
    })
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

/**
 * A step that replaces `node -p` by the evaluator, because a start of Node takes ten times the processor time of
 * `curl`.
 */
const evaluating = (port: string): Step => ({
  shown: '',
  command: `
    node() {
      [[ $1 == -p ]] || { command node "$@"; return; }
      local input='' output errors code
      [[ $2 == *'readFileSync(0)'* ]] && input=$(cat)
      exec 3<>/dev/tcp/127.0.0.1/${port}
      printf '%s\\0%s\\0' "$2" "$input" >&3
      IFS= read -rd '' output <&3; IFS= read -rd '' errors <&3; IFS= read -rd '' code <&3
      exec 3>&-
      printf %s "$errors" >&2
      printf %s "$output"
      return "$code"
    }`,
})

/**
 * Runs steps in one shell, in the folder of a sandbox, with the Node that its readers have. The first two steps start
 * Node for each expression, as for a reader. Each `sleep` passes a second and runs the worker. Returns the output and
 * the errors of each step.
 */
export async function runSteps(
  api: Api,
  story: Story,
  steps: Step[],
): Promise<{ input: string[]; complaints: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'openbenefits-guide-'))
  const sandbox: Sandbox = { base_url: api.url, sign_in_url: '', ...story }
  mkdirSync(join(folder, '.data'))
  writeFileSync(join(folder, '.data/sandbox.json'), JSON.stringify(sandbox))
  const worker = createServer((_, response) => {
    api.wait(1000)
    void api.work().then(() => response.end())
  })
  worker.listen(0, '127.0.0.1')
  await once(worker, 'listening')
  const { port } = worker.address() as AddressInfo
  const node = nodeOfMachine() ?? process.execPath
  const evaluations = spawn(node, ['-e', evaluator], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(evaluations.stdout, 'data')) as [Buffer]
    const preamble = `PATH=${dirname(node)}:$PATH\nsleep() { curl -s http://127.0.0.1:${port}/; }`
    const all = steps.toSpliced(2, 0, evaluating(line.toString().trim()))
    const { input, complaints } = await runStepsIn(folder, preamble, all)
    return { input: input.toSpliced(2, 1), complaints }
  } finally {
    evaluations.kill()
    worker.close()
    rmSync(folder, { recursive: true })
  }
}

/** Runs steps in one shell in a folder, after a preamble. Returns the output and the errors of each step. */
export async function runStepsIn(folder: string, preamble: string, steps: Step[]) {
  const blocks = steps.map(({ command }) => `${command}\necho '${end_of_step}'\n`).join('')
  // Readers have not set the database variable of the tests.
  const { DATABASE_URL: _, ...env } = process.env
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', `${preamble}\n${blocks}`], {
    cwd: folder,
    env: { ...env, PATH: `${dirname(process.execPath)}:${env.PATH}` },
  })
  return { input: stdout.split(`${end_of_step}\n`).slice(0, -1), complaints: stderr }
}

/** Output line by line, without values that change: ids, instants, days and years. */
export const maskVariables = (text: string) =>
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
    .map((line) => (line.startsWith('{"') ? JSON.parse(line) : line))
