import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { run } from '@openbenefits/cli'
import { addOperatorCommands } from '../../cli/commands.ts'

/**
 * The output of a command of a guide, `npx openbenefits …`, with the settings of a service. Fails the test unless the
 * command succeeds.
 */
export async function commandOutput(command: string, env: Record<string, string>): Promise<string> {
  const words = [...command.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const input = Promise.all([text(stdout), text(stderr)])
  const { signal } = new AbortController()
  const code = await run(words.slice(2), { stdin, stdout, stderr, env, signal }, [addOperatorCommands])
  stdout.end()
  stderr.end()
  const [out, complaints] = await input
  expect([code, complaints]).toEqual([0, ''])
  return out
}
