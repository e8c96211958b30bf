import { ConnectionError, OpenBenefitsError } from './core/errors.js';
/** The route refused: the person is signed out (401), or the page is not one that may ask (403). */
export class TokenRefusedError extends OpenBenefitsError {
    name = 'TokenRefusedError';
    status;
    constructor(status) {
        super(`The route for tokens answered ${status}.`);
        this.status = status;
    }
}
/** Renewed after so much of its life. */
const renewed_at = 0.8;
/** Milliseconds in which other tabs may say that they have renewed already. */
const answer_time = 50;
/** Milliseconds that a request with a token may be on its way. */
const on_the_way = 5000;
const stopped = () => new OpenBenefitsError('This token was stopped.');
/** The token, when it is not the refused one and not yet due. */
const goodUntil = (end, one, refused) => one && one.token !== refused && Date.now() < one[end] ? one.token : undefined;
/**
 * Holds a bound token for a page: fetches it from your route, renews it at 80 % of its life, once for all tabs, and at
 * once when a page comes back to the foreground with one that is due. In the background nothing is renewed.
 *
 * @example
 * ```ts
 * const { getToken } = boundToken({ from: '/benefits-token', name: employer_id })
 * const ob = new OpenBenefits({ getToken, baseUrl: 'https://benefits.example.com' })
 * ```
 */
export function boundToken({ from, name }) {
    const { document } = globalThis;
    let held;
    let renewing;
    let timer;
    let is_stopped = false;
    const keep = (one) => {
        if (is_stopped)
            throw stopped();
        held = one;
        clearTimeout(timer);
        timer = setTimeout(renewWhenSeen, Math.max(0, one.renew_at - Date.now()));
        timer.unref?.();
        return one;
    };
    const tabs = name === undefined ? undefined : openTabs(name, () => held, keep);
    const renew = (refused) => {
        const fetchUnlessHeld = async () => {
            if (is_stopped)
                throw stopped();
            await tabs?.ask(refused);
            if (held && goodUntil('renew_at', held, refused))
                return held;
            const fresh = keep(await fetchToken(from));
            tabs?.tell({ held: fresh });
            return fresh;
        };
        renewing ??= (tabs ? tabs.inTurn(fetchUnlessHeld) : fetchUnlessHeld()).finally(() => (renewing = undefined));
        return renewing;
    };
    /** When it is due, and looked at. What fails here is told to whoever asks for the token next. */
    function renewWhenSeen() {
        if (held && !goodUntil('renew_at', held) && document?.visibilityState !== 'hidden')
            renew().catch(() => undefined);
    }
    document?.addEventListener('visibilitychange', renewWhenSeen);
    return {
        getToken: async (refused) => {
            const token = goodUntil('ends_at', held, refused);
            // Good for a while yet: nobody waits for the next one.
            if (token && !goodUntil('renew_at', held))
                renew().catch(() => undefined);
            return token ?? (await renew(refused)).token;
        },
        stop: () => {
            is_stopped = true;
            held = undefined;
            clearTimeout(timer);
            tabs?.close();
            document?.removeEventListener('visibilitychange', renewWhenSeen);
        },
    };
}
/** The tabs of this origin that share a name. */
function openTabs(name, heldNow, keep) {
    const { navigator } = globalThis;
    const channel = new BroadcastChannel(`openbenefits-token:${name}`);
    const tell = (said) => channel.postMessage(said);
    const hear = ({ data: said }) => {
        const held = heldNow();
        if ('held' in said) {
            if (!held || said.held.renew_at > held.renew_at)
                keep(said.held);
        }
        else if (held && goodUntil('renew_at', held, said.refused))
            tell({ held });
    };
    channel.addEventListener('message', hear);
    channel.unref?.();
    return {
        ask: async (refused) => {
            tell({ ask: true, refused });
            for (let waited = 0; waited < answer_time && !goodUntil('renew_at', heldNow(), refused); waited += 5)
                await new Promise((resolve) => setTimeout(resolve, 5));
        },
        tell,
        inTurn: (work) => (navigator?.locks ? navigator.locks.request(channel.name, work) : work()),
        close: () => channel.close(),
    };
}
async function fetchToken(from) {
    const { access_token: token, expires_in } = typeof from === 'function' ? await from() : await fetchFrom(from);
    const [now, life] = [Date.now(), expires_in * 1000];
    return { token, renew_at: now + life * renewed_at, ends_at: now + life - on_the_way };
}
async function fetchFrom(route) {
    const answer = await fetch(route, { method: 'POST', credentials: 'include' }).catch((cause) => {
        throw new ConnectionError('The route for tokens can not be reached.', { cause });
    });
    if (!answer.ok)
        throw new TokenRefusedError(answer.status);
    return (await answer.json());
}
