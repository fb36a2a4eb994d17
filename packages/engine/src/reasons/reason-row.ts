/** The meaning of a reason code for users. The reference page is generated from these definitions. */
export interface ReasonDefinition {
  /** One sentence that says what happened. */
  readonly when: string
  /** One sentence that says what to do about it. */
  readonly next: string
}
