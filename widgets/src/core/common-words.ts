/** What every widget says, whatever it is about. */
export type CommonWords = {
  loading: string
  offline: string
  ended: string
  failed: (trace_id: string) => string
  try_again: string
  required: string
  /** The service's own words, in which it refuses, by what it says of a field or by the code of the refusal. */
  refused: Record<string, string>
}

export const common_en: CommonWords = {
  loading: 'Loading',
  offline: 'You are offline, or the service cannot be reached. What you typed is kept, and we keep trying.',
  ended: 'Your session has ended. Sign in again on this page to continue.',
  failed: (trace_id) => `Something went wrong on our side.${trace_id ? ` Reference: ${trace_id}` : ''}`,
  try_again: 'Try again',
  required: 'Fill this in.',
  refused: {},
}

export const common_es: CommonWords = {
  loading: 'Cargando',
  offline: 'No hay conexión con el servicio. Lo que escribió se conserva; lo intentamos de nuevo automáticamente.',
  ended: 'Su sesión ha terminado. Vuelva a iniciar sesión en esta página para continuar.',
  failed: (trace_id) => `Algo falló de nuestro lado.${trace_id ? ` Referencia: ${trace_id}` : ''}`,
  try_again: 'Intentar de nuevo',
  required: 'Complete este campo.',
  refused: {
    'is required': 'Complete este campo.',
    'must not be empty': 'Complete este campo.',
    'must be a 10-digit US phone number': 'Debe ser un teléfono de Estados Unidos, de 10 dígitos.',
    'must be a ZIP code of 5 or 9 digits': 'Debe ser un código postal de 5 o 9 dígitos.',
    'must be a US state or territory, such as TX or Texas':
      'Debe ser un estado o territorio de EE. UU., como TX o Texas.',
    'must be a day that exists, as YYYY-MM-DD, from 1900 to 2199': 'Debe ser un día que exista.',
    'must not be after today': 'No debe ser después de hoy.',
    'must not contain control characters': 'Contiene caracteres que no se pueden guardar.',
    'must be a PDF, or a PNG, JPEG, WebP or HEIC image': 'Debe ser un PDF o una imagen PNG, JPEG, WebP o HEIC.',
    'a life event has at most 5 attachments': 'Se aceptan 5 documentos como máximo.',
    dependent_already_ended: 'Esta persona ya no forma parte de su familia aquí.',
    spouse_already_exists: 'Ya tiene cónyuge o pareja aquí: quite primero a esa persona.',
    dependent_already_exists: 'Ya hay alguien con este nombre y esta fecha de nacimiento.',
    dependent_too_old: 'Esta persona supera la edad hasta la que se puede cubrir.',
    life_event_already_decided: 'Ya se decidió sobre este cambio de vida.',
    life_event_too_old: 'Pasó hace demasiado tiempo para informarlo aquí.',
    employee_is_not_employed: 'Su empleo ha terminado: ya no hay nada que cambiar aquí.',
    enrollment_window_closed: 'Por ahora no hay plazo abierto para elegir.',
    enrollment_is_inactive: 'Esta inscripción ya terminó.',
    coverage_has_started: 'La cobertura ya comenzó: ya no se puede renunciar a ella.',
    coverage_ends_first: 'La elección comenzaría cuando la cobertura ya haya terminado.',
    plan_not_offered: 'Este plan no se ofrece así.',
    dependents_do_not_fit_tier: 'Las personas elegidas no corresponden a este nivel.',
    dependent_not_coverable: 'Una de las personas elegidas no se puede cubrir entonces.',
    one_of_a_choice: 'De estos beneficios solo se puede elegir uno.',
  },
}
