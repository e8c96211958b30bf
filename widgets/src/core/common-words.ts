/** What every widget says, whatever it is about. */
export type CommonWords = {
  loading: string
  offline: string
  ended: string
  failed: (trace_id: string) => string
  try_again: string
  required: string
}

export const common_en: CommonWords = {
  loading: 'Loading',
  offline: 'You are offline, or the service can not be reached. What you typed is kept; we try again by ourselves.',
  ended: 'Your session has ended. Sign in again on this page to go on.',
  failed: (trace_id) => `Something went wrong on our side.${trace_id ? ` Reference: ${trace_id}` : ''}`,
  try_again: 'Try again',
  required: 'Fill this in.',
}

export const common_es: CommonWords = {
  loading: 'Cargando',
  offline: 'No hay conexión con el servicio. Lo que escribió se conserva; lo intentamos de nuevo automáticamente.',
  ended: 'Su sesión ha terminado. Vuelva a iniciar sesión en esta página para continuar.',
  failed: (trace_id) => `Algo falló de nuestro lado.${trace_id ? ` Referencia: ${trace_id}` : ''}`,
  try_again: 'Intentar de nuevo',
  required: 'Complete este campo.',
}
