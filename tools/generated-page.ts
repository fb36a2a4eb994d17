/** A page that a provider generates from its own data. */
export interface GeneratedPage {
  /** The path relative to the repository. */
  readonly path: string
  content(): string
}
