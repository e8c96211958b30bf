import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { run } from '@openbenefits/cli'
import { addOperatorCommands } from '../cli/commands.ts'

/**
 * What a command of a guide says, `npx openbenefits …`, with the settings of a service. Fails the test unless it is
 * done.
 */
export async function saidBy(command: string, env: Record<string, string>): Promise<string> {
  const words = [...command.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const said = Promise.all([text(stdout), text(stderr)])
  const { signal } = new AbortController()
  const code = await run(words.slice(2), { stdin, stdout, stderr, env, signal }, [addOperatorCommands])
  stdout.end()
  stderr.end()
  const [out, complaints] = await said
  expect([code, complaints]).toEqual([0, ''])
  return out
}
