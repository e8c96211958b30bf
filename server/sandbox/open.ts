import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../kernel/config.ts'
import { findCredentialByHash } from '../modules/access/auth/queries.ts'
import { findByKeyHash } from '../modules/access/operators/queries.ts'
import type { Task } from '../jobs/worker.ts'
import { type Runtime } from '../runtime/runtime.ts'
import { sha256 } from '../security/secrets.ts'
import { seedOperatorKey, seedStory, type Story } from './story.ts'
import { every_organization } from '../database/query/rows-of.ts'

/** The content of DATA_DIR/sandbox.json. Scripts and tests of integrators rely on it. */
export type Sandbox = Story & { base_url: string; sign_in_url: string }

const sandboxFile = (config: Config) => join(config.DATA_DIR, 'sandbox.json')

/**
 * Returns the story in sandbox.json if the database has it, otherwise seeds a new one. Replaces an expired or missing
 * operator key.
 */
export async function openSandbox(runtime: Runtime, config: Config, tasks: Record<string, Task>): Promise<Story> {
  const story = (await storyIn(runtime, sandboxFile(config))) ?? (await seedStory(runtime, tasks))
  const operator = await findByKeyHash(
    { db: runtime.database.reads(every_organization) },
    { secret_hash: sha256(story.operator_key) },
  )
  const is_alive = operator && Date.parse(operator.expires_at) > runtime.clock()
  return is_alive ? story : { ...story, operator_key: await seedOperatorKey(runtime) }
}

/** Writes sandbox.json atomically, readable only by its owner. */
export function writeSandbox(config: Config, sandbox: Sandbox): void {
  const path = sandboxFile(config)
  mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 })
  writeFileSync(`${path}.new`, `${JSON.stringify(sandbox, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/**
 * The lines printed when the server is ready. A terminal shows the key of a sandbox. A log, which others may read,
 * shows only its location.
 */
export function greeting(
  address: string,
  config: Config,
  sandbox: Pick<Sandbox, 'api_key' | 'sign_in_url'> | undefined,
  to_terminal: boolean,
): string[] {
  const lines = [`OpenBenefits is ready on ${address}`, `  docs     ${address}/docs`]
  if (sandbox === undefined) return lines
  const { api_key, sign_in_url } = sandbox
  const path = sandboxFile(config)
  const curl = `  try      curl -s ${address}/v1/employers -H`
  return to_terminal
    ? [
        ...lines,
        `  sign in  ${sign_in_url}`,
        `  API key  ${api_key}   (more in ${path})`,
        `${curl} 'Authorization: Bearer ${api_key}'`,
      ]
    : [
        ...lines,
        `  sign in  ${sign_in_url}`,
        `  API key  in ${path}`,
        `${curl} "Authorization: Bearer $(node -p "require('${path}').api_key")"`,
      ]
}

async function storyIn(runtime: Runtime, path: string): Promise<Story | undefined> {
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as Sandbox | null
    if (typeof kept?.api_key !== 'string') return undefined
    const { base_url: _, sign_in_url: __, ...story } = kept
    const credential = await findCredentialByHash(
      { db: runtime.database.reads(every_organization) },
      { secret_hash: sha256(story.api_key) },
    )
    return credential && story
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
