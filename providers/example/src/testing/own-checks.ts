import { karpenterKinds, labels, type ResourceKind } from '@kerf/apis'
import { offeringCoordinates } from '@kerf/provider-contract'
import { type ConformanceDriver, type ConformanceHarness, create } from '@kerf/provider-contract/conformance'
import type { HashAnnotations } from '@kerf/provider-kit'
import { expect } from 'vitest'
import type { ExampleNodeClass } from '../example-node-class.ts'

const never = new AbortController().signal

/** Returns checks of features that only this provider has: the fields of its node class. */
export const ownChecks = (kind: ResourceKind<ExampleNodeClass>, keys: HashAnnotations): ConformanceDriver['own'] => {
  const edit = async (harness: ConformanceHarness, spec: Partial<ExampleNodeClass['spec']>): Promise<void> => {
    await harness.client.patch(kind, { name: 'default' }, { type: 'merge', body: { spec } })
    await harness.clock.advance(500)
  }
  /** Launches a NodeClaim that has the annotations that the core writes. */
  const launched = async (harness: ConformanceHarness) => {
    const claim = await harness.claim('a')
    const { annotations } = await create(harness, claim)
    return harness.client.patch(
      karpenterKinds.NodeClaim,
      { name: 'a' },
      { type: 'merge', body: { metadata: { annotations } } },
    )
  }
  return {
    C03: async (harness) => {
      const { metadata } = await launched(harness)
      expect(metadata.annotations).toMatchObject({ [keys.version]: 'v1', [keys.hash]: expect.stringMatching(/^\d+$/) })
    },
    H02: async (harness) => {
      const claim = await launched(harness)
      await edit(harness, { zones: ['example-1b'] })
      expect(await harness.provider.isDrifted(claim, never)).toBeUndefined()
      await edit(harness, { image: 'linux-2027' })
      expect(await harness.provider.isDrifted(claim, never)).toBe('NodeClassDrift')
    },
    H03: async (harness) => {
      const { metadata, ...claim } = await launched(harness)
      await edit(harness, { image: 'linux-2027' })
      const older = { ...metadata, annotations: { ...metadata.annotations, [keys.version]: 'v0' } }
      expect(await harness.provider.isDrifted({ ...claim, metadata: older }, never)).toBeUndefined()
    },
    T08: async (harness) => {
      await edit(harness, { zones: ['example-1b'] })
      for (const type of await harness.provider.instanceTypes(harness.pool(), never)) {
        expect(type.requirements.find(({ key }) => key === labels.zone)?.values).toEqual(['example-1b'])
        const zones = type.offerings.map((offering) => offeringCoordinates(type, offering).zone)
        expect(new Set(zones)).toEqual(new Set(['example-1b']))
      }
    },
  }
}
