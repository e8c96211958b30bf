/** Makes `tokens.route` out of the operation that issues tokens. */
export function tokenRoute(issue) {
    return ({ entity, origins = [], organization }) => {
        const answerTo = async (given, method, header) => {
            const headers = { 'cache-control': 'no-store', vary: 'origin', 'content-type': 'application/json' };
            const refuse = (status, code) => ({ status, body: { error: { code } }, headers });
            if (method !== 'POST')
                return refuse(405, 'method_not_allowed');
            const origin = header('origin');
            const is_listed = origin !== null && origins.includes(origin);
            if (!is_listed && !isSameOrigin(origin, header('host'), header('sec-fetch-site')))
                return refuse(403, 'origin_not_allowed');
            const id = await entity(given);
            if (!id)
                return refuse(401, 'unauthorized');
            const type = id.startsWith('empl_') ? 'employee' : 'employer';
            const request = { grant_type: 'client_credentials', bound_entity: { type, id } };
            const { access_token, expires_in } = await issue(request, organization ? { organization } : {});
            const allowed = is_listed && {
                'access-control-allow-origin': origin,
                'access-control-allow-credentials': 'true',
            };
            return { status: 200, body: { access_token, expires_in }, headers: { ...headers, ...allowed } };
        };
        return (request, ...rest) => handle(request, rest, answerTo);
    };
}
/** A browser says where a page is from, and a page can't say otherwise. Who says nothing is no page of ours. */
function isSameOrigin(origin, host, site) {
    if (site !== null && site !== 'same-origin')
        return false;
    if (origin === null || origin === 'null')
        return site === 'same-origin';
    return host !== null && URL.canParse(origin) && new URL(origin).host === host;
}
/** By what it can do: frameworks have classes of their own. */
const isRequest = (one) => typeof one?.headers?.get === 'function';
/** Answers as the framework that called us expects it. */
async function handle(given, [response, next], answerTo) {
    const request = [given, given.req?.raw].find(isRequest);
    if (request) {
        // What a proxy or a runtime made of the address: the host header may be missing from a Request.
        const header = (name) => request.headers.get(name) ?? (name === 'host' ? new URL(request.url).host : null);
        const { status, body, headers } = await answerTo(given, request.method, header);
        return new Response(JSON.stringify(body), { status, headers });
    }
    const { method = '', headers: sent } = given;
    try {
        const answer = await answerTo(given, method, (name) => [sent[name]].flat()[0] ?? null);
        const out = response;
        out.statusCode = answer.status;
        for (const [name, value] of Object.entries(answer.headers))
            out.setHeader(name, value);
        out.end(JSON.stringify(answer.body));
    }
    catch (error) {
        if (typeof next !== 'function')
            throw error;
        next(error);
    }
    return undefined;
}
