import type { Schema } from './crd-schema.ts'

const ready = [
  { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
]

/** A kind of node class with the expectations of the tests. */
export interface ProviderClass {
  /** The provider's name in Karpenter's documentation. */
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

/** Returns a typical class: Ready, with these parts. */
export const classOf = (apiVersion: string, kind: string, spec: object, status: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name: 'default', uid: `uid-${kind}` },
  spec,
  status: { conditions: ready, ...status },
})
