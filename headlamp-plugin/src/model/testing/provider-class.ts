import type { Schema } from './crd-schema.ts'

const ready = [
  { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
]

/** A kind of node class, and what the tests ask about it. */
export interface ProviderClass {
  /** As Karpenter's documentation names the provider. */
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
  /** What the columns of the list show of it, in their order. */
  readonly shown: readonly string[]
  /** A word of the example's text, what a person mistypes in its place, and what is said about it. */
  readonly mistake: readonly [word: string, typed: string, problem: string]
}

/** A class as its users have one: Ready, with these parts. */
export const classOf = (apiVersion: string, kind: string, spec: object, status: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name: 'default', uid: `uid-${kind}` },
  spec,
  status: { conditions: ready, ...status },
})
