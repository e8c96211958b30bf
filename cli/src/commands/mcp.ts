import { type Command, InvalidArgumentError } from 'commander'
import { connected, connectionOf, type ConnectionOptions } from '../connection.ts'
import type { Io } from '../output.ts'

const default_port = 8090

function port(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 0 && number < 65_536) return number
  throw new InvalidArgumentError('Must be a port from 0 to 65535.')
}

/** `mcp`: the API for assistants over the Model Context Protocol. */
export function addMcp(program: Command, io: Io): void {
  connected(program.command('mcp'))
    .description(
      'Serve the Model Context Protocol (MCP) for an assistant, which can read data and apply changes you approve.',
    )
    .option('--http [port]', `streamable HTTP on this machine instead of stdio (default port: ${default_port})`, port)
    .addHelpText(
      'after',
      `
The assistant has the permissions of the key, and its actions are in the audit log under that key. It can only
make changes with apply_plan, which applies a plan shown before, once, within ten minutes. Over HTTP, each
request has its own bearer token.

Examples:
  $ openbenefits mcp --profile live
  $ openbenefits mcp --http 8090 --url https://benefits.example.com
In the settings of an assistant:
  { "mcpServers": { "openbenefits": { "command": "npx", "args": ["-y", "openbenefits", "mcp"] } } }`,
    )
    .action(async ({ http, ...options }: ConnectionOptions & { http?: number | true }) => {
      // Imported lazily, so that other commands start faster.
      const { serveOverHttp, serveOverStdio } = await import('../mcp/serve.ts')
      if (http === undefined) return serveOverStdio(connectionOf(options, io.env), io)
      const service = options.url ?? io.env.OPENBENEFITS_URL ?? connectionOf(options, io.env).url
      await serveOverHttp(service, http === true ? default_port : http, io)
    })
}
