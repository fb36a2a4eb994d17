/** The meaning of a reason code for users. The reference page is generated from these definitions. */
export interface ReasonDefinition {
  /** One sentence about what happened. */
  readonly when: string
  /** One sentence about what the reader should do. */
  readonly next: string
}

/** A value for the sentence of a reason. */
export type DetailValue = string | number | boolean | readonly string[]

/** The values for the sentence of a reason, by name, in the form that API responses and recordings contain. */
export type ReasonDetail = Readonly<Record<string, DetailValue>>

/**
 * The object that a reason is about, such as `nodepool/general` or `node/ip-10-0-0-1`, and the values for the sentence. `Name` lists
 * the details that the code declares, so that a caller cannot set a detail that no sentence reads.
 */
export interface ReasonParameters<Name extends string = string> {
  readonly subject: string
  readonly detail: { readonly [Each in Name]?: DetailValue }
}

/** Everything about one reason: its texts, and who may see its details. */
export interface ReasonRow<Public extends string = string, Own extends string = string> extends ReasonDefinition {
  /**
   * Returns the reason as a sentence, for Events, tables and the dashboard. The sentence begins with the subject, if the reason has one.
   */
  sentence(reason: ReasonParameters<Public | Own>): string
  /** The details that every reader may see: amounts, and values from objects without a namespace. */
  readonly publicDetails: readonly Public[]
  /** The details that may come from the pod. Only readers who may read the pod see them. */
  readonly ownDetails: readonly Own[]
}

/** Returns the row. The compiler checks that its sentence reads only details that the row declares. */
export const row = <const Public extends string = never, const Own extends string = never>(
  each: ReasonRow<Public, Own>,
): ReasonRow<Public, Own> => each
