/** The films in `clips/`, each as webm and mp4, with their length in seconds. `scripts/clips.ts` renders them. */
export const films = { "guide-hello": 6, "guide-level": 5, "guide-plan": 6, "guide-offer": 6 } as const;
