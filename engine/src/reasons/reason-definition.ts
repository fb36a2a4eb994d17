/** What a code means to the person who reads it. The reference page is made of these. */
export interface ReasonDefinition {
  /** What is the case, one sentence. */
  readonly when: string
  /** What to do about it, one sentence. */
  readonly next: string
}
