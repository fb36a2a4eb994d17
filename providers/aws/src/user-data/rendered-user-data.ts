/** User data as text, with remarks for its author about content that has no effect. */
export interface RenderedUserData {
  readonly text: string
  readonly remarks: readonly string[]
}
