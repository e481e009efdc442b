/** The app version that calls carry (spec 000 §9). */
export const appVersion = "5.7.8";
