/** User data as text, with remarks to its author about parts without effect. */
export interface RenderedUserData {
  readonly text: string
  readonly remarks: readonly string[]
}
