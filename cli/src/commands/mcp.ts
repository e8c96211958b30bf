import { InvalidArgumentError, type Command } from 'commander'
import { connected, connectionOf, type ConnectionOptions } from '../connection.ts'
import type { Io } from '../io.ts'

const usual_port = 8090

function port(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 0 && number < 65_536) return number
  throw new InvalidArgumentError('It must be a port, from 0 to 65535.')
}

/** `mcp`: the interface for assistants, over the Model Context Protocol. */
export function addMcp(program: Command, io: Io): void {
  connected(program.command('mcp'))
    .description('Lets an assistant read, and change what you agree to, over the Model Context Protocol (MCP).')
    .option('--http [port]', `streamable HTTP on this machine instead of stdio; port ${usual_port} unless said`, port)
    .addHelpText(
      'after',
      `
It may what the key may, and what it does is in the audit trail under that key. It changes nothing but by apply_plan,
which takes a plan that was shown before: good for ten minutes, once. Over HTTP each request brings its own bearer.

Examples:
  $ openbenefits mcp --profile live
  $ openbenefits mcp --http 8090 --url https://benefits.example.com
In the settings of an assistant:
  { "mcpServers": { "openbenefits": { "command": "npx", "args": ["-y", "openbenefits", "mcp"] } } }`,
    )
    .action(async ({ http, ...options }: ConnectionOptions & { http?: number | true }) => {
      // Loaded when it is wanted: the other commands begin sooner.
      const { overHttp, overStdio } = await import('../mcp/serve.ts')
      if (http === undefined) return overStdio(connectionOf(options, io.env), io)
      const service = options.url ?? io.env.OPENBENEFITS_URL ?? connectionOf(options, io.env).url
      await overHttp(service, http === true ? usual_port : http, io)
    })
}
