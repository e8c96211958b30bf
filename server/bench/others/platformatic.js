// Platformatic DB's two parts: the mapping of tables, and the API derived from it.
import fastify from 'fastify'
import mapper from '@platformatic/sql-mapper'
import openapi from '@platformatic/sql-openapi'

// It inspects each table of the database before it starts.
const app = fastify({ pluginTimeout: 0 })
await app.register(mapper, { connectionString: process.env.DATABASE_URL, poolSize: Number(process.env.CONNECTIONS) })
await app.register(openapi)
process.on('disconnect', () => process.exit())
process.send(await app.listen({ port: 0, host: '127.0.0.1' }))
