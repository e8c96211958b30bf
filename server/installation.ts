import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { findCredentialByHash } from './modules/auth/queries.ts'
import { ConfigError, type Config } from './kernel/config.ts'
import { newSecretKeys, sha256, type SecretKeys } from './platform/secrets.ts'
import type { Runtime } from './platform/runtime.ts'
import { plantStory, type Story } from './sandbox/story.ts'

/** What an installation with the embedded database keeps for itself: its keys and the password of its PostgreSQL. */
export type Kept = SecretKeys & { database_password: string }

/** The keys: from the settings, or with the embedded database from DATA_DIR/secrets.json, which the first start writes. */
export function loadKeys(config: Config): Kept {
  const given = {
    ...(config.ENCRYPTION_KEYS && { encryption_keys: config.ENCRYPTION_KEYS }),
    ...(config.HASH_KEY && { hash_key: config.HASH_KEY }),
    ...(config.TOKEN_KEY && { token_key: config.TOKEN_KEY }),
    ...(config.OPERATOR_KEY && { operator_key: config.OPERATOR_KEY }),
  }
  if (config.DATABASE_URL) return { ...(given as SecretKeys), database_password: '' }
  return { ...keptIn(config.DATA_DIR), ...given }
}

function keptIn(data_dir: string): Kept {
  const path = join(data_dir, 'secrets.json')
  if (!existsSync(path) && existsSync(join(data_dir, 'postgres'))) {
    throw new ConfigError(
      `${data_dir} holds a database but not its secrets.json: restore that from a backup, since without its keys stored values are lost.`,
    )
  }
  mkdirSync(data_dir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  const keys: Kept = { ...newSecretKeys(), database_password: randomBytes(24).toString('base64url') }
  // To the disk before the database is: what it encrypts could not be read without them after a power failure.
  writeFileSync(draft, JSON.stringify(keys, null, 2), { mode: 0o600, flush: true })
  try {
    // A link is made only where nothing stands: of two first starts at once, one writes the keys and both read them.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Kept
  } catch {
    throw new ConfigError(
      `${path} can't be read as JSON: restore it from a backup, since without its keys stored values are lost.`,
    )
  }
}

/** DATA_DIR/sandbox.json: what scripts and tests of integrators rely on. */
export type Sandbox = Story & { base_url: string; operator_key: string }

const sandboxFile = (config: Config) => join(config.DATA_DIR, 'sandbox.json')

/** The sandbox's story: the one that sandbox.json tells of when the database holds it, else planted anew. */
export const openSandbox = async (runtime: Runtime, config: Config): Promise<Story> =>
  (await storyIn(runtime, sandboxFile(config))) ?? (await plantStory(runtime))

/** Writes sandbox.json, whole or not at all, for its owner only. */
export function writeSandbox(config: Config, sandbox: Sandbox): void {
  const path = sandboxFile(config)
  mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 })
  writeFileSync(`${path}.new`, `${JSON.stringify(sandbox, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/**
 * What a start says when it is ready, line by line. The key of a sandbox is shown to whoever sits at the terminal; what
 * goes into a log, which is kept and read by others, says where it is.
 */
export function greeting(address: string, config: Config, api_key: string | undefined, to_terminal: boolean): string[] {
  const said = [`OpenBenefits is ready on ${address}`, `  docs     ${address}/docs`]
  if (api_key === undefined) return said
  const path = sandboxFile(config)
  const curl = `  try      curl -s ${address}/v1/employers -H`
  return to_terminal
    ? [...said, `  API key  ${api_key}   (more in ${path})`, `${curl} 'Authorization: Bearer ${api_key}'`]
    : [...said, `  API key  in ${path}`, `${curl} "Authorization: Bearer $(node -p "require('${path}').api_key")"`]
}

async function storyIn(runtime: Runtime, path: string): Promise<Story | undefined> {
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as Sandbox | null
    if (typeof kept?.api_key !== 'string') return undefined
    const { base_url: _, operator_key: __, ...story } = kept
    const credential = await findCredentialByHash(runtime.database.reads, sha256(story.api_key))
    return credential && story
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
