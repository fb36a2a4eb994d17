import type { KubeObject, Pod } from '@kerf/apis'
import type { ClusterSnapshot } from '@kerf/engine'
import { type Clock, FixedInformers } from '@kerf/runtime'
import { ifReadable } from '../../state/isolation/if-readable.ts'
import { listClaimTemplates, type PodsWithClaims, withExpectedClaims } from './expected-claims.ts'
import { expectedPod, expectedUid } from './expected-pod.ts'
import { MOST_EXPECTED } from './expected-pods.ts'
import { Owners } from './owners.ts'
import { QuotaLimit } from './quota-limit.ts'

/** The pods that the owners among the given objects have not created yet. */
export interface PlannedExpectedPods {
  readonly pods: readonly Pod[]
  /** The number of owners that have not created all their pods yet. */
  readonly owners: number
  /** Returns the snapshot with the volume claims of these pods added. */
  within(snapshot: ClusterSnapshot): ClusterSnapshot
}

/**
 * Returns the pods that a newly started Kerf with `PLAN_EXPECTED_PODS=on` would expect for these objects. Assumes that no owner is in
 * back-off and no capacity is reserved (`docs/spec/expected-pods.md#which-pods-are-expected`). Does not throw if an object is invalid.
 */
export const planExpectedPods = (objects: readonly KubeObject[], clock: Clock): PlannedExpectedPods => {
  const owners = new Owners({ clock, informers: new FixedInformers(objects) })
  const uids = new Set<string>()
  owners.follow((uid) => uids.add(uid))
  const quotas = new Map<string, QuotaLimit>()
  const expected: PodsWithClaims[] = []
  const all: Pod[] = []
  for (const uid of uids) {
    const owner = owners.get(uid)
    const demand = owner && ifReadable(() => owners.demand(owner))
    if (owner === undefined || demand?.kind !== 'missing') continue
    const { name: ownerName, namespace = 'default' } = owner.object.metadata
    const quota = quotas.get(namespace) ?? new QuotaLimit(owners.quotas(namespace))
    quotas.set(namespace, quota)
    const { template, names } = demand
    const count = Math.min(ifReadable(() => quota.admit(template, demand.count)) ?? 0, MOST_EXPECTED - all.length)
    if (count === 0) continue
    const claimTemplates = listClaimTemplates(owner)
    const pods = Array.from({ length: count }, (_, index) => {
      const name = names?.[index] ?? `${ownerName}-expected-${index + 1}`
      return expectedPod(template, { uid: expectedUid(uid, name), name }, claimTemplates)
    })
    expected.push({ pods, claimTemplates })
    all.push(...pods)
  }
  return { pods: all, owners: expected.length, within: (snapshot) => withExpectedClaims(snapshot, expected) }
}
