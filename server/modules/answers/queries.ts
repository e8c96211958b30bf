import type { Ctx } from '../../platform/ctx.ts'
import { statement } from '../../platform/database/statement.ts'
import type { AnswerQuote } from './schemas.ts'

type Benefit = AnswerQuote['answers'][number]['benefit']

const benefits = statement(
  'answers.listBenefits',
  `select enrollment.id as enrollment_id, json_build_object(
            'id', product.id, 'category', product.category, 'name', product.name,
            'product_code', product.product_code) as benefit
     from enrollments as enrollment
     join benefit_products as product on product.id = enrollment.benefit_id
      and product.organization_id = enrollment.organization_id
    where enrollment.id = any(:enrollment_ids::text[]) and enrollment.organization_id = :organization_id`,
)

/** The benefits that enrollments are of, by the ids of these. */
export async function listBenefits(ctx: Ctx, organization_id: string, enrollment_ids: string[]) {
  const rows = await benefits.rows<{ enrollment_id: string; benefit: Benefit }>(ctx, {
    organization_id,
    enrollment_ids,
  })
  return new Map(rows.map(({ enrollment_id, benefit }) => [enrollment_id, benefit]))
}
