/** What a reason code means to users. The reference page is generated from these definitions. */
export interface ReasonDefinition {
  /** One sentence that says what happened. */
  readonly when: string
  /** One sentence that says what to do about it. */
  readonly next: string
}

/** The values for the sentence of a reason, by name. */
export type ReasonDetail = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** The object that a reason is about, such as `nodepool/general` or `node/ip-10-0-0-1`, and the values for the sentence. */
export interface ReasonParameters {
  readonly subject: string
  readonly detail: ReasonDetail
}

/** Everything about one reason: its texts, and how it is reported. */
export interface ReasonRow extends ReasonDefinition {
  /**
   * Returns the reason as a sentence, for Events, tables and the dashboard. The sentence begins with the subject, if the reason has one.
   */
  sentence(reason: ReasonParameters): string
  /** The details that are amounts, or that come from objects without a namespace. All other details may come from the pod. */
  readonly publicDetails: readonly string[]
}
