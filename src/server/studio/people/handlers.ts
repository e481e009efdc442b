/** What answers the calls of `studio/contract/people.ts`. */
import type { peopleCalls } from "#studio/contract/people.ts";
import type { StudioHandlers } from "../handler.ts";

export const peopleHandlers: StudioHandlers<typeof peopleCalls> = {};
