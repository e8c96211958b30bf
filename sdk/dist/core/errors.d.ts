import type { ErrorBody } from '../v1/types.gen.ts';
import type { PartnerErrors } from '../v1/methods.gen.ts';
import type { OperatorErrors } from '../operator/methods.gen.ts';
/** The codes that each method may be refused with, by what the method is called: `employers.create`. */
export type MethodErrors = PartnerErrors & {
    [Name in keyof OperatorErrors as `operator.${Name}`]: OperatorErrors[Name];
};
/** Each code that this version of the interfaces knows. */
export type ErrorCode = MethodErrors[keyof MethodErrors];
/** Everything that a client throws of itself. */
export declare class OpenBenefitsError extends Error {
    name: string;
}
/** No answer came: the service can't be reached, the connection broke, or the time was over. `cause` says more. */
export declare class ConnectionError extends OpenBenefitsError {
    name: string;
}
/** The service refused: every 4xx and 5xx. `code` is what programs decide by. */
export declare class ApiError<Code extends string = ErrorCode> extends OpenBenefitsError {
    name: string;
    /** The method that was refused: `employers.create`, `operator.planYears.open`. */
    readonly operation: string;
    readonly status: number;
    /** Later versions of the service may add codes: treat one that you don't know by its status. */
    readonly code: Code | (string & {});
    /** What is wrong, field by field. */
    readonly details: ErrorBody['error']['details'];
    /** The same by its field: `error.fields.ein`, `error.fields['employees[3].phone']`. */
    readonly fields: Readonly<Record<string, string>>;
    /** The page about the code: its cause and what to do. */
    readonly doc_url: string;
    /** Finds the request in the log of the service; empty when something in between answered. */
    readonly trace_id: string;
    readonly headers: Headers;
    constructor(operation: string, { status, headers }: Response, body: ErrorBody | undefined);
    /** Whether it was refused with this code. */
    is<One extends Code>(code: One): this is ApiError<One> & {
        readonly code: One;
    };
    /** Whether it was this method that was refused; then `is` takes the codes of that method alone. */
    from<Name extends keyof MethodErrors>(operation: Name): this is ApiError<MethodErrors[Name]>;
}
