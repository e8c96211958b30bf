// Platformatic DB's two halves: the tables it finds, and the interface that it derives from them.
import fastify from 'fastify'
import mapper from '@platformatic/sql-mapper'
import openapi from '@platformatic/sql-openapi'

// It looks at each table of the database first.
const app = fastify({ pluginTimeout: 0 })
await app.register(mapper, { connectionString: process.env.DATABASE_URL, poolSize: Number(process.env.CONNECTIONS) })
await app.register(openapi)
process.on('disconnect', () => process.exit())
process.send(await app.listen({ port: 0, host: '127.0.0.1' }))
