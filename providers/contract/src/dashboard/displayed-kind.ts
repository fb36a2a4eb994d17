import type { ClassDriftRule } from './class-drift-rule.ts'
import type { NodeClassColumn } from './node-class-column.ts'

/** A node class kind that the dashboard lists, shows and edits. */
export interface DisplayedKind {
  /** The name of the cloud service in texts for users, if it differs from the title of the provider. */
  readonly title?: string
  readonly group: string
  readonly kind: string
  readonly plural: string
  /** The versions of the kind, newest first. */
  readonly versions: readonly string[]
  readonly columns?: readonly NodeClassColumn[]
  /** How an edit affects NodeClaims. If absent, the editor only states that claims may drift. */
  readonly drift?: ClassDriftRule
}
