/** For tests that render pages without a build: the pages link to no stylesheets and scripts. */
import type { Assets } from "#web/assets.ts";

export const noAssets: Assets = {
  forPage: () => ({
    stylesheets: [],
    modules: [],
    returning: [],
    styles: [],
    scripts: [],
    questionnaire: "",
    release: "0123456789ab",
    laterContents: "",
    texts: "",
    moreTexts: "",
  }),
};
