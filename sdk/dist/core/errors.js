/** Everything that a client throws of itself. */
export class OpenBenefitsError extends Error {
    name = 'OpenBenefitsError';
}
/** No answer came: the service can't be reached, the connection broke, or the time was over. `cause` says more. */
export class ConnectionError extends OpenBenefitsError {
    name = 'ConnectionError';
}
/** What a refusal says when it did not come from the service, but from something in between that speaks no JSON. */
const not_ours = (status) => ({
    code: 'upstream_error',
    message: `Something between us answered ${status} without JSON.`,
    details: [],
    doc_url: '',
});
/** The service refused: every 4xx and 5xx. `code` is what programs decide by. */
export class ApiError extends OpenBenefitsError {
    name = 'ApiError';
    /** The method that was refused: `employers.create`, `operator.planYears.open`. */
    operation;
    status;
    /** Later versions of the service may add codes: treat one that you don't know by its status. */
    code;
    /** What is wrong, field by field. */
    details;
    /** The same by its field: `error.fields.ein`, `error.fields['employees[3].phone']`. */
    fields;
    /** The page about the code: its cause and what to do. */
    doc_url;
    /** Finds the request in the log of the service; empty when something in between answered. */
    trace_id;
    headers;
    constructor(operation, { status, headers }, body) {
        const { code, message, details = [], doc_url = '' } = body?.error ?? not_ours(status);
        super(`${code}: ${message}`);
        this.operation = operation;
        // A success that can't be read is none.
        this.status = status < 400 ? 502 : status;
        this.code = code;
        this.details = details;
        this.fields = Object.fromEntries(details.map(({ field, message }) => [field, message]));
        this.doc_url = doc_url;
        this.trace_id = body?.trace_id ?? '';
        this.headers = headers;
    }
    /** Whether it was refused with this code. */
    is(code) {
        return this.code === code;
    }
    /** Whether it was this method that was refused; then `is` takes the codes of that method alone. */
    from(operation) {
        return this.operation === operation;
    }
}
