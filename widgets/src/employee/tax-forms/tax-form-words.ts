/** The texts of the view of tax forms. `contact`: the name, address, phone and email of the employer. */
const en = {
  about:
    'Form 1095-C or 1095-B shows the health coverage that you and your family had or could have from your employer ' +
    'in a year. You may need it for your tax return.',
  none: 'You have no tax forms yet. They appear here when your employer releases them, usually by March 2.',
  no_access: 'Tax forms are not available on this page. Contact your employer for your Form 1095-C or 1095-B.',
  form: (form: string, year: number) => `Form ${form} for ${year} (PDF)`,
  released: (at: string) => `Released ${at}`,
  corrected: 'Corrected',
  delivery: 'Electronic delivery',
  on_paper: 'You get your forms on paper. You can also download them here.',
  electronic: (at: string) => `You agreed on ${at} to get your forms only on this page.`,
  withdrawn: (at: string) => `You withdrew your consent on ${at}. From then on, you get your forms on paper again.`,
  before: 'Read this before you agree',
  agreed_to: 'Your rights',
  agree: 'I agree to electronic delivery',
  withdraw: 'Withdraw my consent',
  disclosures: (contact: string): [name: string, text: string][] => [
    ['Paper forms', 'If you do not agree, your employer gives you your forms on paper.'],
    [
      'How long it applies',
      'Your consent applies to Form 1095-C or 1095-B of this year and of each later year, until you withdraw it.',
    ],
    [
      'Paper copies',
      `You can get a paper copy at any time after you agree. Contact ${contact}. This does not withdraw your consent.`,
    ],
    [
      'How to withdraw',
      'You can withdraw your consent at any time on this page. It takes effect immediately, and this page confirms ' +
        `the date. You can also write to ${contact}. Forms that you got on this page before then are not sent again.`,
    ],
    [
      'When it ends',
      'Electronic delivery ends when you withdraw your consent. If you leave your job and can no longer sign in ' +
        'here, contact your employer to get your forms on paper.',
    ],
    [
      'Your contact information',
      'Update your address under “Contact information”. Your employer can update your email address. If your ' +
        'employer has a new address or phone number, you see it here.',
    ],
    [
      'Your device',
      'You need a device with internet access, a current web browser, and a program that opens PDF files. To print ' +
        'your form, you need a printer. You may have to print it and attach it to a tax return.',
    ],
    [
      'How long forms stay here',
      'You can download each form here at least until October 15 of the year after the tax year.',
    ],
  ],
}

const es: typeof en = {
  about:
    'El Formulario 1095-C o 1095-B muestra la cobertura médica de su empleador que usted y su familia tuvieron o ' +
    'pudieron tener en un año. Puede necesitarlo para su declaración de impuestos.',
  none:
    'Todavía no tiene formularios de impuestos. Aparecerán aquí cuando su empleador los publique, normalmente antes ' +
    'del 2 de marzo.',
  no_access:
    'Los formularios de impuestos no están disponibles en esta página. Pida su Formulario 1095-C o 1095-B a su ' +
    'empleador.',
  form: (form, year) => `Formulario ${form} de ${year} (PDF)`,
  released: (at) => `Publicado el ${at}`,
  corrected: 'Corregido',
  delivery: 'Entrega electrónica',
  on_paper: 'Usted recibe sus formularios en papel. También puede descargarlos aquí.',
  electronic: (at) => `El ${at} usted aceptó recibir sus formularios solo en esta página.`,
  withdrawn: (at) =>
    `Usted retiró su consentimiento el ${at}. Desde entonces recibe de nuevo sus formularios en papel.`,
  before: 'Lea esto antes de aceptar',
  agreed_to: 'Sus derechos',
  agree: 'Acepto la entrega electrónica',
  withdraw: 'Retirar mi consentimiento',
  disclosures: (contact) => [
    ['Formularios en papel', 'Si no acepta, su empleador le da sus formularios en papel.'],
    [
      'Cuánto dura',
      'Su consentimiento vale para el Formulario 1095-C o 1095-B de este año y de cada año siguiente, hasta que lo ' +
        'retire.',
    ],
    [
      'Copias en papel',
      `Puede pedir una copia en papel en cualquier momento después de aceptar. Contacte a ${contact}. Esto no retira ` +
        'su consentimiento.',
    ],
    [
      'Cómo retirarlo',
      'Puede retirar su consentimiento en cualquier momento en esta página. El retiro vale de inmediato y esta ' +
        `página confirma la fecha. También puede escribir a ${contact}. Los formularios que recibió ` +
        'antes en esta página no se envían de nuevo.',
    ],
    [
      'Cuándo termina',
      'La entrega electrónica termina cuando usted retira su consentimiento. Si deja su trabajo y ya no puede ' +
        'iniciar sesión aquí, contacte a su empleador para recibir sus formularios en papel.',
    ],
    [
      'Sus datos de contacto',
      'Actualice su dirección en «Información de contacto», y su correo electrónico con su empleador. Si cambian ' +
        'los datos de contacto de su empleador, se muestran aquí.',
    ],
    [
      'Lo que necesita',
      'Necesita un dispositivo con acceso a internet, un navegador actual y un programa que abra archivos PDF. Para ' +
        'imprimir su formulario necesita una impresora. Es posible que deba imprimirlo y adjuntarlo a una ' +
        'declaración de impuestos.',
    ],
    [
      'Cuánto tiempo quedan aquí',
      'Puede descargar cada formulario aquí al menos hasta el 15 de octubre del año siguiente al año fiscal.',
    ],
  ],
}

export const tax_form_words = { en, es }
