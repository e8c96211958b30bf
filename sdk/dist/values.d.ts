import type { Day } from './v1/types.gen.ts';
/**
 * A text as a day, such as one from a file or a form; throws a `RangeError` when it is none. Days written in code need
 * no `day`: `'2026-03-10'` is one.
 */
export declare function day(text: string): Day;
/** A day for people, of whichever time zone: `Mar 10, 2026`, or as the options of `Intl.DateTimeFormat` say. */
export declare const formatDay: (value: Day, locale?: string, options?: Intl.DateTimeFormatOptions) => string;
/** Cents for people: `$1,234.50`. Throws a `RangeError` for what is not whole cents. */
export declare function formatCents(cents: number, locale?: string): string;
