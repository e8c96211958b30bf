import { declareRefusals, Refusal } from '../../../kernel/refusal.ts'
import type { EnrollmentAgreement, NewSignature } from './schemas.ts'

export const refusals = declareRefusals({
  agreement_has_changed: [
    409,
    'The agreement has changed since the employee read it.',
    'Show the current agreements of the employee, and let the employee sign again.',
  ],
})

/** The text that applies to organizations without their own. */
export const standard_agreement: EnrollmentAgreement = {
  id: null,
  benefit_plan_year_id: null,
  plan_year: null,
  version: 0,
  text_en:
    'I have reviewed my choices, and the information that I gave is true and complete. I authorize my employer to ' +
    'deduct my share of the cost from my paychecks. I can change these choices until the enrollment period ends. ' +
    'After that, I can change them only during the next open enrollment or after a qualifying life event.',
  text_es:
    'He revisado mis elecciones, y la información que proporcioné es verdadera y completa. Autorizo a mi empleador a ' +
    'descontar mi parte del costo de mis cheques de pago. Puedo cambiar estas elecciones hasta que termine el ' +
    'período de inscripción. Después, solo puedo cambiarlas en la próxima inscripción abierta o tras un evento de ' +
    'vida calificado.',
  created_at: null,
}

/** Returns why a signature does not count: it is not under the current agreements. */
export function whyNotSign({ agreement_ids }: NewSignature, current: EnrollmentAgreement[]): Refusal | undefined {
  const ids = current.flatMap(({ id }) => id ?? [])
  const is_current = ids.length === agreement_ids.length && ids.every((id) => agreement_ids.includes(id))
  return is_current
    ? undefined
    : new Refusal(refusals.agreement_has_changed, [
        { field: 'signature.agreement_ids', message: 'does not contain exactly the current agreements' },
      ])
}
