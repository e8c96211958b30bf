import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { useStartedService } from './test/service/started-service.ts'

/** The service as an operator starts it. `first-start.test.ts` has the starts that succeed. */
const { start } = useStartedService('main')

/** The secrets that a service with its own database needs. */
function newSecrets() {
  const [key, other] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  const OPERATOR_KEY = `obop_${randomBytes(30).toString('base64url')}`
  return { ENCRYPTION_KEYS: `k1:${key}`, HASH_KEY: key, TOKEN_KEY: other, OPERATOR_KEY }
}

describe('a start that fails', () => {
  // A table in kernel/config.test.ts covers the other invalid settings.
  it('refuses to start with an invalid setting, with one sentence', async () => {
    const server = start({ IDP_PROVIDER: 'external_idp' })
    expect(await server.ended).toBe(1)
    expect(server.output()).toBe(
      "OpenBenefits can't start: The setting KEYCLOAK_URL is required when IDP_PROVIDER is external_idp.\n",
    )
  })

  it.each([
    [{ HOST: 'nohost.invalid' }, 'this process cannot listen on HOST nohost.invalid and PORT '],
    [
      { DATA_DIR: `${import.meta.filename}/data` },
      `the folder ${import.meta.filename}/data cannot be created (ENOTDIR). Set DATA_DIR to a folder`,
    ],
  ])('names the setting if the machine does not allow %j', async (env, sentence) => {
    const server = start(env)
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(`OpenBenefits can't start: ${sentence}`)
  })

  it('sends nothing to a database on another machine without TLS', async () => {
    const input: Buffer[] = []
    // A server that refuses PostgreSQL's TLS request.
    const plain = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (data: Buffer) => {
        input.push(data)
        socket.write('N')
      })
    }).listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const { port } = plain.address() as { port: number }
    // This address means any machine, so it counts as another machine.
    const DATABASE_URL = `postgresql://benefits:secret@0.0.0.0:${port}/benefits`
    const server = start({ DATABASE_URL, ...newSecrets() })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain('the database of DATABASE_URL does not support TLS.')
    expect(Buffer.concat(input).toString('hex')).toMatch(/^(?:0000000804d2162f)+$/)
    plain.close()
  })

  it('reports that its port is in use, and leaves nothing running', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const server = start({ PORT: String(port) })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(`another program listens on 127.0.0.1:${port}`)
    other.close()
  })

  it('checks its port before it opens the database, so that a failed start seeds no sandbox', async () => {
    let connections = 0
    const database = createServer((socket) => {
      connections++
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(database, 'listening')
    const { port } = database.address() as { port: number }
    const DATABASE_URL = `postgresql://benefits:secret@127.0.0.1:${port}/benefits`
    const server = start({ PORT: String(port), DATABASE_URL, ...newSecrets() })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(`another program listens on 127.0.0.1:${port}`)
    expect(connections).toBe(0)
    database.close()
  })
})
