import type { RequirementSpec } from '../instance-type.ts'
import { byText, Requirement } from './requirement.ts'

/** The reason why one node cannot satisfy two sets of requirements. */
export type Conflict =
  | { readonly kind: 'unknown-label'; readonly key: string; readonly incoming: Requirement }
  | {
      readonly kind: 'disjoint'
      readonly key: string
      readonly incoming: Requirement
      readonly existing: Requirement
    }

const noKeys = (): boolean => false

/**
 * Requirements on distinct labels, all of which a node must satisfy (`docs/spec/requirements.md#sets-of-requirements`). A second
 * requirement on a key is intersected with the first. Immutable: operations return new sets.
 */
export class Requirements {
  static readonly none = new Requirements(new Map())

  readonly byKey: ReadonlyMap<string, Requirement>
  #identity: string | undefined

  constructor(byKey: ReadonlyMap<string, Requirement>) {
    this.byKey = byKey
  }

  static of(requirements: Iterable<Requirement>): Requirements {
    const byKey = new Map<string, Requirement>()
    for (const requirement of requirements) {
      const existing = byKey.get(requirement.key)
      byKey.set(requirement.key, existing === undefined ? requirement : requirement.intersection(existing))
    }
    return byKey.size === 0 ? Requirements.none : new Requirements(byKey)
  }

  static ofLabels(labels: Readonly<Record<string, string>>): Requirements {
    const byKey = new Map<string, Requirement>()
    for (const key in labels) byKey.set(key, Requirement.in(key, [labels[key] ?? '']))
    return new Requirements(byKey)
  }

  /** Two sets have the same identity if and only if they have the same requirements. */
  get identity(): string {
    this.#identity ??= [...this.byKey.values()]
      .map((requirement) => requirement.identity)
      .sort(byText)
      .join(';')
    return this.#identity
  }

  get hasMinValues(): boolean {
    for (const requirement of this.byKey.values()) if (requirement.minValues !== undefined) return true
    return false
  }

  has(key: string): boolean {
    return this.byKey.has(key)
  }

  /** Returns the requirement on a label. Without one, returns a requirement that allows any value. */
  get(key: string): Requirement {
    return this.byKey.get(key) ?? Requirement.exists(key)
  }

  merge(other: Requirements): Requirements {
    if (other.byKey.size === 0) return this
    if (this.byKey.size === 0) return other
    const byKey = new Map(this.byKey)
    for (const [key, incoming] of other.byKey) {
      const existing = byKey.get(key)
      byKey.set(key, existing === undefined ? incoming : incoming.intersection(existing))
    }
    return new Requirements(byKey)
  }

  /** Returns a copy of the set in which `requirement` replaces the present requirement on its key. */
  replace(requirement: Requirement): Requirements {
    const byKey = new Map(this.byKey)
    byKey.set(requirement.key, requirement)
    return new Requirements(byKey)
  }

  without(...keys: readonly string[]): Requirements {
    const byKey = new Map(this.byKey)
    for (const key of keys) byKey.delete(key)
    return new Requirements(byKey)
  }

  /** Returns the first key for which no node can satisfy both sets. */
  conflictWith(incoming: Requirements): Conflict | undefined {
    const [few, many] = this.byKey.size <= incoming.byKey.size ? [this, incoming] : [incoming, this]
    for (const [key, one] of few.byKey) {
      const other = many.byKey.get(key)
      if (other === undefined || one.agreesWith(other)) continue
      return few === this
        ? { kind: 'disjoint', key, existing: one, incoming: other }
        : { kind: 'disjoint', key, existing: other, incoming: one }
    }
    return undefined
  }

  intersects(other: Requirements): boolean {
    return this.conflictWith(other) === undefined
  }

  /**
   * Returns the reason why a node with these requirements refuses `incoming`, or `undefined` if the node accepts it. The check is not
   * symmetric: if `incoming` requires a label that this set does not have, the node refuses it unless `mayBeUndefined` returns true for
   * that label.
   */
  refusal(incoming: Requirements, mayBeUndefined: (key: string) => boolean = noKeys): Conflict | undefined {
    for (const [key, requirement] of incoming.byKey) {
      if (this.byKey.has(key) || requirement.admitsAbsence || mayBeUndefined(key)) continue
      return { kind: 'unknown-label', key, incoming: requirement }
    }
    return this.conflictWith(incoming)
  }

  accepts(incoming: Requirements, mayBeUndefined: (key: string) => boolean = noKeys): boolean {
    return this.refusal(incoming, mayBeUndefined) === undefined
  }

  /** Returns the requirements as written in NodeClaims, sorted by key. */
  toSpecs(): readonly RequirementSpec[] {
    return [...this.byKey.values()].sort((a, b) => byText(a.key, b.key)).flatMap((requirement) => requirement.toSpecs())
  }

  toString(): string {
    return [...this.byKey.values()]
      .filter((requirement) => requirement.key !== 'kubernetes.io/hostname')
      .map(String)
      .sort(byText)
      .join(', ')
  }
}
