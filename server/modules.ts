import type { Module } from './runtime/module.ts'
import type { Incoming } from './http/callbacks.ts'
import { access_modules } from './modules/access/modules.ts'
import { directory_modules } from './modules/directory/modules.ts'
import { coverage_modules } from './modules/coverage/modules.ts'
import { money_modules } from './modules/money/modules.ts'
import { roster_modules } from './modules/roster/modules.ts'
import { aca_modules } from './modules/aca/modules.ts'
import { events_modules } from './modules/events/modules.ts'
import { operations_modules } from './modules/operations/modules.ts'

/** All modules, in the order of the contract and of the daily run. */
export const modules: Module[] = [
  ...access_modules,
  ...directory_modules,
  ...coverage_modules,
  ...money_modules,
  ...roster_modules,
  ...aca_modules,
  ...events_modules,
  ...operations_modules,
]

/** All endpoints, in the order of the contract. */
export const endpoints = modules.flatMap((module) => module.endpoints)

/** The external systems that modules connect to. */
export const integrations = new Set(modules.flatMap((module) => module.integrations ?? []))

/** Endpoints that external systems call. */
export const incoming: Incoming[] = modules.flatMap((module) => module.incoming ?? [])
