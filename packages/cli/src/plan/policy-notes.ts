import { type KubeObject, policyKinds, type ResourceKind } from '@kerf/apis'
import { commitmentNotes, discountsIn } from './commitments.ts'
import type { LoadedCluster } from './load-snapshot.ts'
import { priceBookNotes } from './price-book.ts'

/** Returns the notes about sources of the ClusterPolicy that could not be read, and about prices that are not applied. */
export const policyNotes = ({ priceBook, manifests }: LoadedCluster, arePriced = false): readonly string[] => {
  const objects = manifests.map(({ object }) => object)
  const isUnused = arePriced && (priceBook !== undefined || discountsIn(objects).length > 0)
  return [
    ...priceBookNotes(priceBook),
    ...commitmentNotes(objects),
    ...(isUnused
      ? ['not applied: the price book and discounts; the prices of the running Kerf already include those in force']
      : []),
  ]
}

/** Returns whether the object is a policy, in any version. */
export const isPolicy = ({ apiVersion, kind }: KubeObject): boolean =>
  apiVersion.startsWith(`${policyKinds.ClusterPolicy.group}/`) &&
  Object.values(policyKinds).some((each) => each.kind === kind)

/** Returns what to report if the user is not allowed to list a kind of policies. Returns undefined for other kinds. */
export const forbiddenPolicies = ({ group, plural }: ResourceKind): string | undefined =>
  group === policyKinds.ClusterPolicy.group
    ? `${plural} (you are not allowed to list them, so these policies are ignored)`
    : undefined
