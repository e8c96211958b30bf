import { PassThrough } from 'node:stream'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { run, type AddCommands } from '../src/run.ts'

/** The output and exit code of a command. */
export type Ended = { code: number; out: string; err: string }

/** A user's settings: a temporary folder and environment variables. */
export function useSettings(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'openbenefits-cli-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return { XDG_CONFIG_HOME: folder, APPDATA: folder, DATA_DIR: join(folder, 'no-sandbox') }
}

/** A running command: its output so far, and its result. */
export function startWith(
  args: string[],
  env: Record<string, string>,
  input = '',
  signal = new AbortController().signal,
  more: AddCommands[] = [],
) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  stdin.end(input)
  const output = { out: '', err: '' }
  stdout.on('data', (chunk) => void (output.out += chunk))
  stderr.on('data', (chunk) => void (output.err += chunk))
  const ended = run(args, { stdin, stdout, stderr, env, signal }, more).then((code): Ended => ({ code, ...output }))
  return { output, ended }
}

/** Starts a command, given as a line whose words contain no spaces. */
export const start = (
  line: string,
  ...more: Parameters<typeof startWith> extends [unknown, ...infer Rest] ? Rest : never
) => startWith(line.split(' '), ...more)

/** Runs a command in a pipe, not in a terminal. */
export const command = (line: string, env: Record<string, string>, input?: string): Promise<Ended> =>
  start(line, env, input).ended
