type TextsProps = { of: { text_en: string; text_es: string } }

/** A text in both languages, as employees read it. Line breaks are kept. */
export const AgreementTexts = ({ of: { text_en, text_es } }: TextsProps) => (
  <div className="beside">
    {(
      [
        ['English', 'en', text_en],
        ['Spanish', 'es', text_es],
      ] as const
    ).map(([language, lang, text]) => (
      <div key={lang}>
        <h3>{language}</h3>
        <p lang={lang} className="paragraphs">
          {text}
        </p>
      </div>
    ))}
  </div>
)
