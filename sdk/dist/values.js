/**
 * A text as a day, such as one from a file or a form; throws a `RangeError` when it is none. Days written in code need
 * no `day`: `'2026-03-10'` is one.
 */
export function day(text) {
    const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
    const instant = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)));
    if (Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== text)
        throw new RangeError(`${JSON.stringify(text)} is not a day, YYYY-MM-DD.`);
    return text;
}
/** A day for people, of whichever time zone: `Mar 10, 2026`, or as the options of `Intl.DateTimeFormat` say. */
export const formatDay = (value, locale = 'en-US', options = { dateStyle: 'medium' }) => 
// A day has no time zone: it is taken and shown in the same one, so that it stays what it is.
new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${value}T00:00:00Z`));
/** Cents for people: `$1,234.50`. Throws a `RangeError` for what is not whole cents. */
export function formatCents(cents, locale = 'en-US') {
    if (!Number.isInteger(cents))
        throw new RangeError(`${cents} is not a number of whole cents.`);
    return new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }).format(cents / 100);
}
