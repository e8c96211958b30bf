import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { countMade, openStage, replaceUnderLoad } from '../test/rolling.ts'
import { later, temporaryFolder } from './stage.ts'

/** Replaces all processes under load, and then every secret while they run: what went wrong meanwhile. */
export async function rolling(): Promise<void> {
  const stage = await openStage(temporaryFolder())
  later(() => stage.stop())
  const tally = await replaceUnderLoad(stage, {}, () => replaceSecrets(stage.settings))
  const { employers, given_up } = await countMade(stage)
  const { requests, writes, censuses, errors, longest_ms } = tally
  console.log(`    ${requests} requests; ${writes} employers were made, and ${employers} are there`)
  console.log(`    ${censuses} censuses were worked off; ${given_up} jobs were given up`)
  console.log(`    ${errors.length} errors; the longest answer took ${Math.round(longest_ms)} ms`)
  for (const error of errors.slice(0, 10)) console.log(`    ! ${error}`)
}

const cli = join(import.meta.dirname, '../cli/cli.ts')

/** Replaces the secrets as an operator does, and takes the former away at once. */
async function replaceSecrets(settings: Record<string, string>): Promise<void> {
  const started = performance.now()
  const line = [cli, 'secrets', 'rotate', '--now']
  const { stdout } = await promisify(execFile)(process.execPath, line, {
    env: { PATH: process.env.PATH, ...settings },
  })
  console.log(`    secrets were replaced in ${Math.round(performance.now() - started)} ms:`)
  for (const said of stdout.trim().split('\n')) console.log(`      ${said}`)
}
