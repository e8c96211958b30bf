import { z } from 'zod'

/** Input fields of tools, in the API's format. The service validates them. */
export const id = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`))
    .describe(`${prefix}_…`)
export const employer_id = id('empr')
export const employee_id = id('empl')
export const enrollment_id = id('enrl')
export const invoice_id = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/)
  .describe('INV-…, as returned by list_invoices')
export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .describe('YYYY-MM-DD') as unknown as z.ZodType<`${number}-${number}-${number}`>
export const text = z.string().min(1).max(255)

/** Pagination of lists: up to 100 rows per page, first page by default. */
export const paging = {
  limit: z.int().min(1).max(100).default(20).describe('rows per page'),
  page: z.int().min(1).default(1).describe('the page number, up to pagination.total_pages of the response'),
}

export const employee_class = z.enum([
  'Full Time',
  'Part Time',
  'Temporary',
  'Intern',
  'Seasonal',
  'Individual Contractor',
])
export const compensation_type = z.enum(['Salary', 'Hourly'])

/** A US address. The service validates the state. */
export const address = z.strictObject({
  address_line_1: text,
  address_line_2: text.optional(),
  city: text,
  state: z.string().regex(/^[A-Z]{2}$/),
  zipcode: z.string().regex(/^\d{5}(-?\d{4})?$/),
})
