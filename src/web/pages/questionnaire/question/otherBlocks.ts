/** What comes after the first question is on the page: every block, what fetches the pictures of what follows, and what some of them need around them. */
export { blockViews, parseContent, picturesOf, traitsOf, validateContents } from "#blocks/views.tsx";
export { wayOnward } from "./onward.ts";
export { prefetchFollowing } from "./prefetch.ts";
export { WithoutAccount } from "./WithoutAccount.tsx";
