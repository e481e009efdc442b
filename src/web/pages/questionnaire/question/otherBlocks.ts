/** Loaded after the first question: all blocks, the prefetching of pictures, and pages that some blocks need. */
export { blockViews, parseContent, picturesOf, traitsOf, validateContents } from "#blocks/views.tsx";
export { laterSite } from "./laterSite.ts";
export { questionRedirect } from "./redirect.ts";
export { prefetchFollowing } from "./prefetch.ts";
export { WithoutAccount } from "./WithoutAccount.tsx";
