import type { Schema } from './crd-schema.ts'

const ready = [
  { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
]

/** A typical class of one kind, and what the dashboard shows of it. `testing/dashboard.ts` of a provider exports them. */
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
  /** The expected texts of the list's columns, in order. */
  readonly shown: readonly string[]
  /** A word in the example's text, a misspelling of it, and the resulting error. */
  readonly mistake: readonly [word: string, typed: string, problem: string]
}

/** Returns a typical class: Ready, with this spec and status. */
export const readyClass = (apiVersion: string, kind: string, spec: object, status: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name: 'default', uid: `uid-${kind}` },
  spec,
  status: { conditions: ready, ...status },
})
