/**
 * The operator's service providers, by role. A template: an operator lists their own contractors here, and every legal document in every locale
 * names them. `country` is ISO 3166 alpha-2; documents show its name in the reader's language.
 */
export interface Provider {
  readonly name: string;
  readonly country: string;
  /** URL of its privacy policy. */
  readonly privacy: string;
}

export const providers = {
  PADDLE: { name: "Paddle.com Market Limited", country: "GB", privacy: "https://www.paddle.com/legal/privacy" },
  HOSTING: { name: "Example Hosting Ltd.", country: "IE", privacy: "https://hosting.example/privacy" },
  MAIL: { name: "Example Mail Ltd.", country: "IE", privacy: "https://mail.example/privacy" },
  CHAT: { name: "Example Chat Ltd.", country: "IE", privacy: "https://chat.example/privacy" },
  BRAZE: { name: "Braze, Inc.", country: "US", privacy: "https://www.braze.com/company/legal/privacy" },
  TAG_MANAGER: {
    name: "Google Ireland Limited (Google Tag Manager)",
    country: "IE",
    privacy: "https://policies.google.com/privacy",
  },
  GOOGLE_ANALYTICS: { name: "Google Ireland Limited (Google Analytics)", country: "IE", privacy: "https://policies.google.com/privacy" },
  GOOGLE_ADS: { name: "Google Ireland Limited (Google Ads)", country: "IE", privacy: "https://policies.google.com/technologies/ads" },
  META: { name: "Meta Platforms Ireland Limited (Facebook, Instagram)", country: "IE", privacy: "https://www.facebook.com/privacy/policy" },
  TIKTOK: { name: "TikTok Technology Limited", country: "IE", privacy: "https://www.tiktok.com/legal/privacy-policy" },
} as const satisfies Readonly<Record<string, Provider>>;
