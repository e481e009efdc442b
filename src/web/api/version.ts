/** What calls say they come from (spec 000 §9). */
export const appVersion = "5.7.8";
