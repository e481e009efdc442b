export const levels = ["beginner", "basic", "intermediate", "upperintermediate"] as const;
export type Level = (typeof levels)[number];
