import { PassThrough } from 'node:stream'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { run, type AddCommands } from '../src/run.ts'

/** What a command said and how it ended. */
export type Ended = { code: number; out: string; err: string }

/** A person's own settings: a folder that is gone after the tests, and what the environment says beside it. */
export function useSettings(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'openbenefits-cli-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return { XDG_CONFIG_HOME: folder, APPDATA: folder, DATA_DIR: join(folder, 'no-sandbox') }
}

/** A command under way: what it has said so far, and its end. */
export function startWith(
  args: string[],
  env: Record<string, string>,
  input = '',
  signal = new AbortController().signal,
  more: AddCommands[] = [],
) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  stdin.end(input)
  const said = { out: '', err: '' }
  stdout.on('data', (chunk) => void (said.out += chunk))
  stderr.on('data', (chunk) => void (said.err += chunk))
  const ended = run(args, { stdin, stdout, stderr, env, signal }, more).then((code): Ended => ({ code, ...said }))
  return { said, ended }
}

/** The same by its line, of words without blanks. */
export const start = (
  line: string,
  ...more: Parameters<typeof startWith> extends [unknown, ...infer Rest] ? Rest : never
) => startWith(line.split(' '), ...more)

/** Runs a command as in a pipe, not at a terminal. */
export const command = (line: string, env: Record<string, string>, input?: string): Promise<Ended> =>
  start(line, env, input).ended
