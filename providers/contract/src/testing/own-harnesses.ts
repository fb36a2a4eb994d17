import { karpenterKinds, type NodeClaim } from '@kerf/apis'
import { type OfferingPattern, offeringCoordinates } from '../offerings.ts'
import type { ConformanceHarness } from './conformance-driver.ts'
import { never, types } from './launching.ts'

/** Maps each harness of the conformance suite to the harness of the provider's package, for checks that only the package can implement. */
export interface OwnHarnesses<Own> {
  keep(harness: ConformanceHarness, own: Own): void
  /** @throws Error for a harness that the provider's driver did not create */
  of(harness: ConformanceHarness): Own
}

export const ownHarnesses = <Own>(): OwnHarnesses<Own> => {
  const kept = new WeakMap<ConformanceHarness, Own>()
  return {
    keep: (harness, own) => void kept.set(harness, own),
    of: (harness) => {
      const own = kept.get(harness)
      if (own === undefined) throw new Error('this harness belongs to another provider')
      return own
    },
  }
}

/** Returns why the current version of the NodeClaim in the API has drifted. */
export const currentDrift = async (
  harness: ConformanceHarness,
  { metadata }: Pick<NodeClaim, 'metadata'>,
): Promise<string | undefined> =>
  harness.provider.isDrifted(await harness.client.get(karpenterKinds.NodeClaim, { name: metadata.name }), never)

/** Returns the offerings that the provider currently treats as unavailable. */
export const unavailableOfferings = async (
  harness: ConformanceHarness,
): Promise<readonly Required<OfferingPattern>[]> =>
  (await types(harness)).flatMap((type) =>
    type.offerings.filter(({ available }) => !available).map((each) => offeringCoordinates(type, each)),
  )
