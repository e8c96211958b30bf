import { changed, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import { locateDependent } from '../../coverage/dependents/queries.ts'
import { storeTaxIdentifier } from './actions.ts'
import { findTaxIdentifier, listTaxIdentifiers } from './queries.ts'
import { NewTaxIdentifier, TaxIdentifier, TaxIdentifierList } from './schemas.ts'

const of_person = {
  tag: 'Tax forms',
  allows: partner,
  roles: operating,
} as const

const storage_note =
  'The number is encrypted with a key of its own and is only used for tax forms. Responses contain its last four ' +
  'digits. Storing another number replaces it.'

export const endpoints = [
  endpoint({
    ...of_person,
    operation: 'employees_list_tax_identifiers',
    scopes: ['read', 'people', 'tax'],
    locate: locateEmployee,
    method: 'GET',
    path: '/v1/employees/{employee_id}/tax-identifier',
    summary: 'List the tax identifiers of an employee and the dependents',
    description:
      'Returns the last four digits of the tax identifiers of the employee and the current dependents, and the ' +
      'people without one.',
    returns: { 200: TaxIdentifierList },
    handle: (ctx, { params }) => listTaxIdentifiers(ctx, params),
  }),
  endpoint({
    ...of_person,
    operation: 'employees_set_tax_identifier',
    scopes: ['write', 'people', 'tax'],
    locate: locateEmployee,
    method: 'PUT',
    path: '/v1/employees/{employee_id}/tax-identifier',
    summary: 'Store the tax identifier of an employee',
    description: `Stores the tax identifier of the person. It is the same at each employment. ${storage_note}`,
    body: NewTaxIdentifier,
    returns: { 200: dataOf(TaxIdentifier) },
    example: { tax_identifier: '219-09-9999' },
    handle: (ctx, { located: { organization_id, member_id }, body }) => {
      const key = { organization_id, member_id, person_id: member_id }
      return changed(storeTaxIdentifier(ctx, key, body.tax_identifier), () => findTaxIdentifier(ctx, key))
    },
  }),
  endpoint({
    ...of_person,
    operation: 'dependents_set_tax_identifier',
    scopes: ['write', 'people', 'tax'],
    locate: locateDependent,
    method: 'PUT',
    path: '/v1/dependents/{dependent_id}/tax-identifier',
    summary: 'Store the tax identifier of a dependent',
    description: `Stores the tax identifier of a dependent. ${storage_note}`,
    body: NewTaxIdentifier,
    returns: { 200: dataOf(TaxIdentifier) },
    example: { tax_identifier: '078-05-1120' },
    handle: (ctx, { located: { organization_id, member_id, dependent_id }, body }) => {
      const key = { organization_id, member_id, person_id: dependent_id }
      return changed(storeTaxIdentifier(ctx, key, body.tax_identifier), () => findTaxIdentifier(ctx, key))
    },
  }),
]
