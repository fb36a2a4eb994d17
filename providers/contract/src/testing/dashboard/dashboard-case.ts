import type { Schema } from './crd-schema.ts'

const ready = [
  { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
]

/**
 * A typical node class of one kind, and the texts that the dashboard shows for it. The module `testing/dashboard.ts` of a provider exports
 * such cases.
 */
export interface DashboardCase {
  /** The provider's name in Karpenter's documentation, and in the table of `docs/dashboard.md`. */
  readonly provider: string
  readonly plural: string
  readonly schema: Schema
  readonly example: {
    readonly apiVersion: string
    readonly kind: string
    readonly metadata: { readonly name: string; readonly uid: string }
    readonly spec: object
    readonly status: object
  }
  /** The expected texts in the columns of the list, in order. */
  readonly shown: readonly string[]
  /** A word in the text of the example, a misspelling of it, and the resulting error message. */
  readonly mistake: readonly [word: string, typed: string, problem: string]
}

/** Returns a typical node class with this spec and status and the Ready condition. */
export const readyClass = (apiVersion: string, kind: string, spec: object, status: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name: 'default', uid: `uid-${kind}` },
  spec,
  status: { conditions: ready, ...status },
})
