import { intAt } from '../column.ts'
import { forEachBit } from '../instance-types/claim-constraints-table.ts'
import { profileValues } from '../instance-types/offering-sets.ts'
import { type ClaimConstraints, NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { BatchPod, Variant } from '../model/equivalence-group.ts'
import type { Run } from '../packing/packing-run.ts'
import { Requirement } from '../requirements/requirement.ts'

/** Returns the topology labels (by number) for which at least one topology group counts the pod. */
export const countedKeys = ({ equivalenceGroup }: BatchPod, variant: Variant | undefined): readonly number[] => {
  const keys = new Set<number>()
  for (const { key } of variant?.keyTerms ?? []) keys.add(key)
  for (const group of equivalenceGroup.counting) if (!group.isHost) keys.add(group.keyNumber)
  for (const group of equivalenceGroup.inverseOwned) if (!group.isHost) keys.add(group.keyNumber)
  return [...keys]
}

/** The domains that remain possible for a claim of the first plan, given its pods. */
export class ClaimDomains {
  readonly #run: Run
  readonly #constraints: ClaimConstraints
  readonly #used: Float64Array
  readonly #known = new Map<number, Requirement | undefined>()

  constructor(run: Run, constraints: ClaimConstraints, used: Float64Array) {
    this.#run = run
    this.#constraints = constraints
    this.#used = used
  }

  /**
   * Returns requirements that restrict the given labels to these domains. If a pod of the claim moves to a node for which the same domains
   * are possible, no topology count changes.
   */
  pins(keys: readonly number[]): readonly Requirement[] {
    return keys.flatMap((key) => {
      if (!this.#known.has(key)) this.#known.set(key, this.#pin(key))
      return this.#known.get(key) ?? []
    })
  }

  /** Returns whether some node of the claim's pool may have the label. */
  #mayHave(key: number): boolean {
    const { constraintsTable } = this.#run.problem
    const root = constraintsTable.root(this.#constraints.index.template.index)
    return root !== NO_CONSTRAINTS && constraintsTable.openDomains(root, key).domains.length > 0
  }

  #pin(key: number): Requirement | undefined {
    const { constraintsTable, domains } = this.#run.problem
    const { id, requirements, index, offerings } = this.#constraints
    const label = domains.keys[key] ?? ''
    const open = Array.from(
      constraintsTable.openDomains(id, key).domains,
      (domain) => domains.names[key]?.[domain] ?? '',
    )
    if (open.length === 0 && !requirements.has(label) && !this.#mayHave(key)) return undefined
    if (open.length <= 1) return Requirement.in(label, open)
    const reached = new Set<string>()
    let isAnywhere = false
    const { profiles, of } = index.sets.profilesOf(label)
    const isSeen = new Uint8Array(profiles.length)
    forEachBit(offerings, (offering) => {
      const profile = intAt(of, offering)
      if (isSeen[profile] === 1 || !index.fits(offering, this.#used)) return
      isSeen[profile] = 1
      const values = profileValues(profiles[profile])
      if (values === undefined) isAnywhere = true
      else for (const value of values) reached.add(value)
    })
    return Requirement.in(label, isAnywhere ? open : open.filter((domain) => reached.has(domain)))
  }
}
