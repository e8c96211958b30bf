// NestJS on Fastify and Prisma, as in their guides: a controller, a service, models and their relations. This file is
// not compiled, so decorators are called as functions.
import { Controller, Get, Injectable, Module, NotFoundException, Req } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { PrismaPg } from '@prisma/adapter-pg'
import prisma from '@prisma/client'

const { DATABASE_URL: connectionString, CONNECTIONS } = process.env
const client = new prisma.PrismaClient({ adapter: new PrismaPg({ connectionString, max: Number(CONNECTIONS) }) })
const newest = { orderBy: { effective_on: 'desc' }, take: 1 }
const include = {
  member: true,
  employer: { select: { name: true } },
  enrollments: {
    select: { id: true, answer: true, answered_at: true, inactive_on: true },
    orderBy: { created_at: 'desc' },
  },
  classifications: newest,
  compensations: newest,
}

class EmployeesService {
  async one(id) {
    const data = await client.employees.findUnique({ where: { id }, include })
    if (!data) throw new NotFoundException()
    return { data }
  }
  async list(employer_id) {
    const where = { employer_id }
    const orderBy = [{ created_at: 'desc' }, { id: 'desc' }]
    const [total, data] = await Promise.all([
      client.employees.count({ where }),
      client.employees.findMany({ where, include, orderBy, take: 20 }),
    ])
    return { data, total }
  }
}
Injectable()(EmployeesService)

class EmployeesController {
  constructor(service) {
    this.service = service
  }
  one(request) {
    return this.service.one(request.params.id)
  }
  list(request) {
    return this.service.list(request.params.id)
  }
}
Reflect.defineMetadata('design:paramtypes', [EmployeesService], EmployeesController)
for (const [name, path] of Object.entries({ one: '/v1/employees/:id', list: '/v1/employers/:id/employees' })) {
  Req()(EmployeesController.prototype, name, 0)
  Get(path)(EmployeesController.prototype, name, Object.getOwnPropertyDescriptor(EmployeesController.prototype, name))
}
Controller()(EmployeesController)

function AppModule() {}
Module({ controllers: [EmployeesController], providers: [EmployeesService] })(AppModule)

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false })
await app.listen(0, '127.0.0.1')
process.on('disconnect', () => process.exit())
process.send(await app.getUrl())
