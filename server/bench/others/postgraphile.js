// PostGraphile as in its guide: its default preset over the tables, served by Node's own server.
import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const { DATABASE_URL: connectionString, CONNECTIONS } = process.env
const pgService = makePgService({ connectionString, schemas: ['public'], poolSize: Number(CONNECTIONS) })
const served = { graphiql: false, watch: false, dangerouslyAllowAllCORSRequests: false }
const instance = postgraphile({ extends: [PostGraphileAmberPreset], pgServices: [pgService], grafserv: served })
const server = createServer()
await instance.createServ(grafserv).addTo(server)
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`))
