import { sleep } from './core/retries.js';
/** As many rows as one submission takes. */
const most_rows = 10_000;
/** Milliseconds between two looks at a census that is worked off: at first, and at most. */
const first_look = 250;
const longest_look = 5000;
/** Makes `census.sync` out of the operations that submit a census and look after it. */
export function censusSync(client, census, settingsOf) {
    const sync = async (employer_id, rows, options = {}) => {
        const { mode, dry_run, wait, onProgress, resume = [], idempotencyKey, ...call } = options;
        const parts = split(rows);
        const is_split = parts.length > 1;
        const meant = mode ?? (is_split ? (await settingsOf(employer_id, call)).census_mode : undefined);
        if (is_split && meant === 'replace')
            throw new RangeError(`A census that replaces has at most ${most_rows} rows.`);
        const query = { ...(meant && { mode: meant }), ...(dry_run && { dry_run }) };
        const submitted = [];
        const tell = () => onProgress?.(added(employer_id, submitted, rows.length));
        for (const [at, part] of parts.entries()) {
            const known = resume[at];
            const key = idempotencyKey && { idempotencyKey: is_split ? `${idempotencyKey}-${at}` : idempotencyKey };
            const outcome = known
                ? await census.get(employer_id, known, call)
                : asOutcome(await census.submit(employer_id, { employees: part.rows }, query, { ...call, ...key }));
            submitted.push({ ...part, outcome });
            tell();
        }
        if (wait)
            for (const each of submitted)
                await follow(each, tell);
        const result = added(employer_id, submitted, rows.length);
        const { census_sync_ids, accepted_at } = result;
        return wait || dry_run ? result : { employer_id, census_sync_ids, accepted_at };
        async function follow(each, tell) {
            for (let look = first_look; isUnderWay(each.outcome); look = Math.min(look * 1.5, longest_look)) {
                await (client.options.sleep ?? sleep)(look, call.signal);
                const { census_sync_id, processed_count } = each.outcome;
                each.outcome = await census.get(employer_id, census_sync_id, call);
                if (each.outcome.processed_count !== processed_count || !isUnderWay(each.outcome))
                    tell();
            }
        }
    };
    return sync;
}
function split(rows) {
    const parts = [];
    for (let from = 0; from < Math.max(rows.length, 1); from += most_rows)
        parts.push({ from, rows: rows.slice(from, from + most_rows) });
    return parts;
}
const isUnderWay = ({ state }) => state === 'queued' || state === 'processing';
const nothing_done = { created: 0, updated: 0, unchanged: 0, rehired: 0, terminated: 0, failed: 0 };
/** What is known of a census when it is accepted; of a dry run all is known at once. */
const asOutcome = (answer) => 'state' in answer
    ? answer
    : {
        ...answer,
        state: 'queued',
        processed_count: 0,
        counts: nothing_done,
        failures: [],
        warnings: [],
        planned: null,
    };
/** Of several states the one that needs most attention. */
const states = ['failed', 'held', 'processing', 'queued', 'completed'];
function added(employer_id, submitted, row_count) {
    const outcomes = submitted.map(({ outcome }) => outcome);
    const { census_sync_id: _, ...last } = outcomes.at(-1);
    const counts = { ...nothing_done };
    for (const outcome of outcomes)
        for (const [name, count] of Object.entries(outcome.counts))
            counts[name] += count;
    return {
        ...last,
        employer_id,
        census_sync_ids: outcomes.flatMap(({ census_sync_id }) => census_sync_id ?? []),
        state: states.find((state) => outcomes.some((outcome) => outcome.state === state)),
        row_count,
        processed_count: outcomes.reduce((sum, { processed_count }) => sum + processed_count, 0),
        counts,
        failures: submitted.flatMap(({ outcome, from }) => placed(outcome.failures, from)),
        warnings: submitted.flatMap(({ outcome, from }) => placed(outcome.warnings, from)),
        planned: last.planned && submitted.flatMap(({ outcome, from }) => placed(outcome.planned ?? [], from)),
        accepted_at: outcomes[0].accepted_at,
    };
}
const placed = (told, from) => told.map((each) => ({ ...each, index: each.index + from }));
