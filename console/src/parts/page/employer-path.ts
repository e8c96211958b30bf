import { isOperator } from '../../session.ts'

/** The path of an employer's page, which differs between members and operators. */
export const employerPath = <const Page extends string>(page: Page) =>
  `${isOperator() ? '/partners/employers/$employer_id' : '/employers/$employer_id'}${page}` as const
