import { servedNodeClassKinds } from './generated/node-class-kinds.ts'
import { refersTo } from './node-class-kinds.ts'
import type { DriftingClaim } from './pool-change.ts'
import { at, isDeleting, nameOf, textAt } from './read.ts'

/** Fields whose edit makes claims drift only where they select something else (`docs/spec/aws-node-class.md#drift-hash`). */
const SELECTORS: ReadonlySet<string> = new Set(servedNodeClassKinds.flatMap(({ selectors }) => selectors))

/** What changed in a class, field by field of its spec. */
export const changedFields = (before: unknown, after: unknown): readonly string[] => {
  const old = (at(before, 'spec') ?? {}) as Readonly<Record<string, unknown>>
  const now = (at(after, 'spec') ?? {}) as Readonly<Record<string, unknown>>
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]))
    .sort()
}

export interface ClassChange {
  readonly fields: readonly string[]
  /** Claims that were launched with the class as it was. */
  readonly drifting: readonly Omit<DriftingClaim, 'cause'>[]
  /** Only selectors changed: claims drift only if what they select is another set than before. */
  readonly isConditional: boolean
}

/**
 * Which nodes an edit of a node class concerns. Providers compare a hash of the class's static fields, so any of those
 * makes every claim of the class drift; a selector does only when it finds something else.
 */
export const classChange = (
  before: unknown,
  after: unknown,
  group: string,
  kind: string,
  claims: readonly unknown[],
): ClassChange => {
  const fields = changedFields(before, after)
  const drifting = claims
    .filter((claim) => !isDeleting(claim) && refersTo(claim, group, kind, nameOf(after)))
    .map((claim) => ({ claim: nameOf(claim), node: textAt(claim, 'status', 'nodeName') ?? '' }))
  return {
    fields,
    drifting: fields.length === 0 ? [] : drifting,
    isConditional: fields.length > 0 && fields.every((field) => SELECTORS.has(field)),
  }
}
