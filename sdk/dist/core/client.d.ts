import { type Call } from './operations.ts';
import type { ClientOptions } from './options.ts';
/** Sends calls, each until it is answered, refused for good, or given up. */
export declare class Client {
    #private;
    readonly options: ClientOptions;
    constructor(options: ClientOptions, environment: {
        url: string;
        key: string;
    });
    /** What an operation answers: JSON, or the response itself where it is a file. */
    call(call: Call): Promise<unknown>;
}
