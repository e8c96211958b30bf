/** The Spanish names of benefits and of services, which partners write in English. */
export const benefit_names: Record<string, string> = {
  Medical: 'Médico',
  'Major Medical': 'Gastos médicos mayores',
  'Essential Care': 'Atención esencial',
  'Virtual Primary Care': 'Atención primaria virtual',
  Dental: 'Dental',
  Vision: 'Visión',
  Hospital: 'Hospital',
  'Primary care': 'Atención primaria',
  'Urgent care': 'Atención urgente',
  'Emergency room': 'Sala de emergencias',
  Specialist: 'Especialista',
  'Generic drugs': 'Medicamentos genéricos',
  Cleaning: 'Limpieza',
  Filling: 'Empaste',
  Exam: 'Examen',
  'after the deductible': 'después del deducible',
}
