import { common_es } from '../core/common-words.ts'
import { pluralIn } from '../core/format.ts'
import type { BillingWords } from './words-en.ts'

const plural = pluralIn('es')

export const es: BillingWords = {
  ...common_es,
  title: (name) => `Facturación de ${name}`,
  open: 'Pendiente',
  overdue: 'Vencido',
  credit: 'Saldo a favor',
  none_open: 'No hay nada pendiente.',
  due_next: (day) => `La próxima factura vence el ${day}.`,
  twelve_months: 'Doce meses',
  at_most: (money) => `hasta ${money}`,
  chart: (rows) => `Gráfico de barras de lo facturado: ${rows}`,
  show: 'Mostrar',
  of_when: 'Año',
  periods: { all: 'Todos los años', this_year: 'Este año', last_year: 'El año pasado' },
  state: 'Estado',
  paid: 'Pagada',
  filters: {
    all: 'Todas las facturas',
    open: 'Pendientes o vencidas',
    overdue: 'Vencidas',
    paid: 'Pagadas',
    void: 'Anuladas',
  },
  invoices: 'Facturas',
  no_invoices: 'Todavía no hay facturas. La primera corresponde al primer mes de cobertura.',
  none_fit: 'No hay facturas que coincidan.',
  number: 'Factura',
  month: 'Mes',
  due: 'Vence',
  total: 'Total',
  status: { draft: 'Borrador', open: 'Pendiente', paid: 'Pagada', void: 'Anulada', overdue: 'Vencida' },
  paid_on: (day) => `pagada el ${day}`,
  invoice: (id) => `Factura ${id}`,
  back: 'Todas las facturas',
  no_invoice: 'No se encontró la factura.',
  pdf: 'Abrir el PDF',
  pay: 'Pagar esta factura',
  your_part: 'Su parte',
  their_part: 'La parte de sus empleados, por nómina',
  of_month: 'Mes de cobertura',
  kind: 'Tipo',
  kinds: { coverage: 'Cobertura', adjustment: 'Ajuste', manual_adjustment: 'Ajuste manual' },
  adjustments: 'Ajustes de meses anteriores',
  adjustments_words: 'Correcciones de meses que ya se habían facturado.',
  lines: 'Líneas',
  person: 'Persona',
  employer: 'Usted',
  employee: 'Empleado',
  adjusted: {
    not_billed_before: (name, benefit, month) =>
      `${name}: ${benefit} de ${month} no se había facturado y se factura ahora.`,
    no_longer_due: (name, benefit, month) =>
      `${name}: ${benefit} de ${month} se facturó y ya no corresponde. La cantidad se acredita.`,
    coverage_changed: (name, benefit, month) =>
      `${name}: ${benefit} de ${month} se facturó con otro plan o nivel de cobertura.`,
    price_changed: (name, benefit, month) =>
      `${name}: ${benefit} de ${month} se facturó con otro precio o reparto del costo.`,
    by_hand: (name, benefit, month) =>
      `${name}: ${benefit} de ${month} se ajustó manualmente, porque su plazo de corrección terminó.`,
  },
  proof: 'Comparación con lo que corresponde',
  agrees: 'Todo lo facturado coincide con lo que corresponde hoy.',
  differs: (count) =>
    plural(count, { one: '# cantidad cambió', other: '# cantidades cambiaron' }) +
    ' después de esta factura. La próxima factura lo corrige.',
  differing: (name, benefit, month) => `${name}: ${benefit} de ${month}`,
  due_billed: (due, billed) => `corresponden ${due}, facturados ${billed}`,
  first_differences: (count) => `Se muestran las ${count} más recientes.`,
  deductions: 'Comparación con los descuentos de nómina',
  billed_year: (year) => `Parte de los empleados facturada de ${year}`,
  by_hand: 'Ajustes manuales',
  collected: 'Descontado de la nómina en el año',
  collected_until: (day) => `Descontado de la nómina en el año, hasta el ${day}`,
  difference: 'Diferencia',
  difference_words:
    'Los meses y los períodos de pago terminan en días distintos. En un año completo, los totales coinciden.',
  billed_taken: (billed, taken) => `${billed} facturados, ${taken} descontados.`,
  apart: {
    not_taken: 'Todavía no descontado de ningún cheque de pago:',
    taken_later: 'El resto se descontará de cheques de pago posteriores:',
    taken_ahead: 'Se descontó más de lo facturado hasta ahora. El exceso se devolverá:',
  },
  largest_differences: (shown, count) => `Se muestran las ${shown} mayores de ${count}.`,
}
