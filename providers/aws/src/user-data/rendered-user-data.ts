/** User data as text, and what its author should know: that a part of it does nothing, and what to do. */
export interface RenderedUserData {
  readonly text: string
  readonly remarks: readonly string[]
}
