import { renderForOrganization } from '../../../documents/pdf-rendering.ts'
import type { BenefitsStatementDocument } from '../../../documents/benefits-statement.ts'
import type { Download } from '../../../http/files/downloads.ts'
import { findClock, withClock } from '../../../runtime/clock.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { displayNameIn } from '../../access/organizations/rules.ts'
import { findDeductionFacts } from '../../money/deductions/paycheck-queries.ts'
import { findNames } from './queries.ts'
import { statementOf } from './rules.ts'

/** The benefits statement of an employee for a year, by default the current one. Undefined if out of reach. */
export async function findStatement(ctx: ReadCtx, employee_id: string, year = Number(ctx.today.slice(0, 4))) {
  const facts = await findDeductionFacts(ctx, { employee_id, year })
  return facts && { employee_id, year, ...statementOf(facts, year) }
}

const openStatement =
  (language: BenefitsStatementDocument['language']): Download =>
  async (ctx, { organization_id, id }) => {
    const at_home = withClock(ctx, await findClock(ctx.db, organization_id))
    const [employee_id = '', year] = id.split('/')
    const statement = await findStatement(at_home, employee_id, Number(year))
    const names = await findNames(at_home, { employee_id })
    if (!statement || !names) return undefined
    const { organization_name, employer_name, first_name, last_name, display_names } = names
    const displayName = displayNameIn(language, display_names)
    const document: BenefitsStatementDocument = {
      ...statement,
      benefits: statement.benefits.map((benefit) => ({ ...benefit, benefit_name: displayName(benefit.benefit_name) })),
      language,
      organization_name,
      employer_name,
      employee_name: `${first_name} ${last_name}`,
      today: at_home.today,
    }
    const body = await renderForOrganization(organization_id, 'benefits_statement', JSON.stringify(document))
    return {
      file_name: `benefits-statement-${year}.pdf`,
      content_type: 'application/pdf',
      bytes: body.length,
      body,
    }
  }

/** The download kinds, one for each language. Their id is `{employee_id}/{year}`. */
export const statement_downloads = {
  benefits_statement_en: openStatement('en'),
  benefits_statement_es: openStatement('es'),
}
