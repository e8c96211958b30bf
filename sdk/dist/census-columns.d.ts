import type { CensusRow } from './v1/types.gen.ts';
/** What a row of a census may say, and by which other names spreadsheets have it. */
export declare const census_fields: readonly [{
    readonly name: 'first_name';
    readonly label: 'First name';
    readonly needed: true;
    readonly also: readonly ['first', 'given name'];
}, {
    readonly name: 'last_name';
    readonly label: 'Last name';
    readonly needed: true;
    readonly also: readonly ['last', 'surname', 'family name'];
}, {
    readonly name: 'email';
    readonly label: 'E-mail';
    readonly needed: true;
    readonly also: readonly ['email address', 'mail', 'work email'];
}, {
    readonly name: 'phone';
    readonly label: 'Phone';
    readonly needed: true;
    readonly also: readonly ['phone number', 'mobile', 'telephone', 'cell'];
}, {
    readonly name: 'date_of_birth';
    readonly label: 'Date of birth';
    readonly needed: true;
    readonly also: readonly ['dob', 'birth date', 'birthday'];
}, {
    readonly name: 'start_date';
    readonly label: 'First day';
    readonly needed: false;
    readonly also: readonly ['hire date', 'hired', 'date of hire', 'hired on'];
}, {
    readonly name: 'termination_date';
    readonly label: 'Last day';
    readonly needed: false;
    readonly also: readonly ['term date', 'end date', 'terminated'];
}, {
    readonly name: 'employee_class';
    readonly label: 'Class';
    readonly needed: false;
    readonly also: readonly ['employment type', 'status', 'type'];
}, {
    readonly name: 'compensation_type';
    readonly label: 'Pay';
    readonly needed: false;
    readonly also: readonly ['pay type', 'compensation', 'flsa'];
}, {
    readonly name: 'reference_id';
    readonly label: 'Reference';
    readonly needed: false;
    readonly also: readonly ['employee id', 'id', 'employee number', 'number'];
}, {
    readonly name: 'suffix';
    readonly label: 'Suffix';
    readonly needed: false;
    readonly also: readonly [];
}, {
    readonly name: 'gender';
    readonly label: 'Gender';
    readonly needed: false;
    readonly also: readonly ['sex'];
}, {
    readonly name: 'address.address_line_1';
    readonly label: 'Street';
    readonly needed: false;
    readonly also: readonly ['address', 'address 1', 'street'];
}, {
    readonly name: 'address.address_line_2';
    readonly label: 'Suite, floor';
    readonly needed: false;
    readonly also: readonly ['address 2', 'unit', 'apt'];
}, {
    readonly name: 'address.city';
    readonly label: 'City';
    readonly needed: false;
    readonly also: readonly ['town'];
}, {
    readonly name: 'address.state';
    readonly label: 'State';
    readonly needed: false;
    readonly also: readonly ['province'];
}, {
    readonly name: 'address.zipcode';
    readonly label: 'ZIP code';
    readonly needed: false;
    readonly also: readonly ['zip', 'postal code', 'postcode'];
}];
/** What people call a field. */
export declare const labelOf: (field: string) => string;
/** A file: its columns in their order, and its lines by them. */
export type Sheet = {
    name: string;
    columns: string[];
    lines: Record<string, string>[];
};
/** Which column says which field, guessed by their names; a column says one field at most. */
export declare function matchColumns(columns: string[]): Record<string, string>;
/** What a line says, by the fields of the interface; `address.city` of its parts. */
export type CensusLine = Record<string, string>;
/** The lines of a file by the names of the interface; empty cells say nothing. */
export declare const linesOf: ({ lines }: Sheet, matched: Record<string, string>) => CensusLine[];
/** A row as the interface takes it. */
export declare function rowOf(line: CensusLine): CensusRow;
