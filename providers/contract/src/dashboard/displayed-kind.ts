import type { ClassDriftRule } from './class-drift-rule.ts'
import type { NodeClassColumn } from './node-class-column.ts'

/** A kind of node class that the dashboard lists, shows and edits. */
export interface DisplayedKind {
  /** The name of the service in texts for users, if it is not the title of the provider. */
  readonly title?: string
  readonly group: string
  readonly kind: string
  readonly plural: string
  /** Newest first. */
  readonly versions: readonly string[]
  readonly columns?: readonly NodeClassColumn[]
  /** How an edit affects claims. If absent, the editor says that claims may drift. */
  readonly drift?: ClassDriftRule
}
