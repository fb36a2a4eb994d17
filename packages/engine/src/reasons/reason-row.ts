/** The meaning of a reason code for users. The reference page is generated from these definitions. */
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
  /** Returns the reason as a sentence, for events, tables and the dashboard. It begins with the subject if it names one. */
  sentence(reason: ReasonParameters): string
  /** The details that are amounts or come from objects without a namespace. All others may come from the pod. */
  readonly publicDetails: readonly string[]
}
