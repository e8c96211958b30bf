import type { CoverageTier } from 'openbenefits'

/** Strings that all widgets share. */
export type CommonWords = {
  loading: string
  offline: string
  ended: string
  failed: (trace_id: string) => string
  try_again: string
  required: string
  csv: string
  benefit: string
  plan: string
  tier: string
  tiers: Record<CoverageTier, string>
  email: string
  phone: string
  picture: (description: string) => string
  /**
   * Messages for the service's refusals, keyed by the message of a field or by the code, with `#` for a number. `other`
   * is the text for all messages without a key. If `other` is missing, those messages are shown unchanged.
   */
  refused: Record<string, string>
}

/** The text for a message or a code of the service, if there is one. */
export function refusalText({ refused }: Pick<CommonWords, 'refused'>, message: string): string | undefined {
  const number = /\d+/.exec(message)?.[0] ?? '#'
  return refused[message] ?? refused[message.replace(number, '#')]?.replace('#', number)
}

export const common_en: CommonWords = {
  loading: 'Loading',
  offline: 'You are offline, or the service cannot be reached. Your entries are kept, and we will keep trying.',
  ended: 'Your session has ended. Sign in again on this page to continue.',
  failed: (trace_id) => `Something went wrong on our side.${trace_id ? ` Reference: ${trace_id}` : ''}`,
  try_again: 'Try again',
  required: 'This field is required.',
  csv: 'Save as CSV',
  benefit: 'Benefit',
  plan: 'Plan',
  tier: 'Coverage level',
  tiers: { EE: 'Employee only', ES: 'Employee + spouse', EC: 'Employee + children', EF: 'Family' },
  email: 'Email',
  phone: 'Phone',
  picture: (description) => `Timeline: ${description}`,
  refused: {
    'is required': 'This field is required.',
    'is required for a person': 'This field is required.',
    'must not be empty': 'This field is required.',
    'must be a valid date in the format YYYY-MM-DD, from 1900 to 2199': 'Enter a valid date.',
    'is required if type is other': 'Describe the event.',
    'must contain visible characters': 'Enter at least one letter or number.',
    'must not contain control characters': 'This text contains characters that cannot be saved.',
    'must not contain characters that change the direction of the text around them':
      'This text contains characters that cannot be saved.',
    benefit_takes_no_beneficiaries: 'This benefit has no beneficiaries.',
    choice_group_conflict: 'You can choose only one of these benefits.',
    coverage_has_started: 'The coverage has already started and cannot be waived.',
    dependent_already_exists: 'You already have a dependent with this name and date of birth.',
    enrollment_window_closed: 'The enrollment period is closed.',
    life_event_already_reported: 'This life event was already reported.',
    life_event_too_old: 'The event happened too long ago to be reported.',
    rate_limited: 'Too many requests. Wait a minute, then try again.',
    change_not_consistent: 'Your life event does not allow this change.',
    coverage_ends_first: 'Your coverage ends before this choice would start.',
    dependent_not_coverable: 'One of these dependents cannot be covered on that day.',
    dependents_do_not_fit_tier: 'These dependents do not fit the coverage level.',
    enrollment_not_open: 'Enrollment is closed for one of these benefits.',
    individual_plan_does_not_fit: 'Enter the name and the premium of the plan you bought.',
    plan_not_offered: 'This plan is not offered.',
  },
}

export const common_es: CommonWords = {
  loading: 'Cargando',
  offline: 'No hay conexión con el servicio. Sus datos se conservan y seguiremos intentándolo.',
  ended: 'Su sesión ha terminado. Vuelva a iniciar sesión en esta página para continuar.',
  failed: (trace_id) => `Algo falló de nuestro lado.${trace_id ? ` Referencia: ${trace_id}` : ''}`,
  try_again: 'Intentar de nuevo',
  required: 'Este campo es obligatorio.',
  csv: 'Guardar como CSV',
  benefit: 'Beneficio',
  plan: 'Plan',
  tier: 'Nivel de cobertura',
  tiers: { EE: 'Solo empleado', ES: 'Empleado + cónyuge', EC: 'Empleado + hijos', EF: 'Familia' },
  email: 'Correo electrónico',
  phone: 'Teléfono',
  picture: (description) => `Línea de tiempo: ${description}`,
  refused: {
    'is required': 'Este campo es obligatorio.',
    'must not be empty': 'Este campo es obligatorio.',
    'must be a 10-digit US phone number': 'Debe ser un teléfono de Estados Unidos, de 10 dígitos.',
    'must be a ZIP code of 5 or 9 digits': 'Debe ser un código postal de 5 o 9 dígitos.',
    'must be a US state or territory, such as TX or Texas':
      'Debe ser un estado o territorio de EE. UU., como TX o Texas.',
    'must be a valid date in the format YYYY-MM-DD, from 1900 to 2199': 'Debe ser una fecha válida.',
    'must not be after today': 'No debe ser posterior a hoy.',
    'must not contain control characters': 'Contiene caracteres que no se pueden guardar.',
    'must be a PDF, or a PNG, JPEG, WebP or HEIC image': 'Debe ser un PDF o una imagen PNG, JPEG, WebP o HEIC.',
    'is required for a person': 'Este campo es obligatorio.',
    'is required if type is other': 'Describa el evento.',
    'must contain visible characters': 'Escriba al menos una letra o un número.',
    'must not contain characters that change the direction of the text around them':
      'Contiene caracteres que no se pueden guardar.',
    'must be at most # characters': 'Use # caracteres como máximo.',
    'must be at most # MiB': 'Este archivo pesa más de # MB. Elija uno más pequeño.',
    'must be at least #': 'Debe ser # como mínimo.',
    'must contain at most # beneficiaries': 'Agregue # beneficiarios como máximo.',
    'a life event can have at most # attachments': 'Se aceptan # documentos como máximo.',
    dependent_already_ended: 'Este dependiente ya fue eliminado.',
    spouse_already_exists: 'Ya tiene un cónyuge o una pareja como dependiente. Elimínelo primero.',
    dependent_already_exists: 'Ya hay un dependiente con este nombre y esta fecha de nacimiento.',
    dependent_data_missing: 'Faltan datos de un dependiente. Complételos en «Dependientes».',
    'a dependent can have at most # attachments': 'Se aceptan # documentos como máximo.',
    dependent_already_verified: 'Este dependiente ya fue verificado.',
    too_many_dependents: 'Tiene demasiados dependientes. Elimine a los que ya no puede cubrir.',
    benefit_takes_no_beneficiaries: 'Este beneficio no tiene beneficiarios.',
    rate_limited: 'Hay demasiadas solicitudes. Espere un minuto e intente de nuevo.',
    dependent_too_old: 'Esta persona supera la edad máxima para tener cobertura.',
    life_event_already_reported: 'Este evento de vida ya fue informado.',
    life_event_already_decided: 'Ya se tomó una decisión sobre este evento de vida.',
    life_event_too_old: 'El evento ocurrió hace demasiado tiempo para informarlo.',
    employee_is_not_employed: 'Su empleo ha terminado. Ya no puede hacer cambios.',
    enrollment_window_closed: 'El período de inscripción está cerrado.',
    enrollment_is_inactive: 'Esta inscripción ya terminó.',
    coverage_has_started: 'La cobertura ya comenzó y no se puede rechazar.',
    coverage_ends_first: 'La cobertura termina antes de que comience esta elección.',
    plan_not_offered: 'Este plan no se ofrece.',
    dependents_do_not_fit_tier: 'Los dependientes elegidos no corresponden a este nivel de cobertura.',
    dependent_not_coverable: 'Uno de los dependientes elegidos no puede tener cobertura en esa fecha.',
    choice_group_conflict: 'Solo puede elegir uno de estos beneficios.',
    change_not_consistent: 'Su evento de vida no permite este cambio.',
    enrollment_not_open: 'La inscripción está cerrada para uno de estos beneficios.',
    individual_plan_does_not_fit: 'Ingrese el nombre y la prima del plan que compró.',
    'the shares of primary beneficiaries must add up to 100 percent':
      'Los porcentajes de los beneficiarios principales deben sumar 100.',
    'the shares of contingent beneficiaries must add up to 100 percent':
      'Los porcentajes de los beneficiarios contingentes deben sumar 100.',
    'must contain a primary beneficiary': 'Agregue un beneficiario principal.',
    'must be more than 0': 'Debe ser mayor que 0.',
    'must be at most #': 'Debe ser # como máximo.',
    'must have at most two decimals': 'Debe tener dos decimales como máximo.',
  },
}
