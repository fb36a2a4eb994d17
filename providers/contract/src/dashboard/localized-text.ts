/** A text in each language of the dashboard. */
export interface LocalizedText {
  readonly en: string
  readonly uk: string
  readonly zh: string
}
