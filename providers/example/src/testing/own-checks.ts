import { karpenterKinds, labels, type ResourceKind } from '@kerf/apis'
import { coordinatesOf } from '@kerf/provider-contract'
import { type ConformanceDriver, type ConformanceWorld, create } from '@kerf/provider-contract/conformance'
import type { HashAnnotations } from '@kerf/provider-kit'
import { expect } from 'vitest'
import type { ExampleNodeClass } from '../example-node-class.ts'

const never = new AbortController().signal

/** Returns the checks of this provider's own features: the fields of its node class. */
export const ownChecks = (kind: ResourceKind<ExampleNodeClass>, keys: HashAnnotations): ConformanceDriver['own'] => {
  const edit = async (world: ConformanceWorld, spec: Partial<ExampleNodeClass['spec']>): Promise<void> => {
    await world.client.patch(kind, { name: 'default' }, { type: 'merge', body: { spec } })
    await world.clock.advance(500)
  }
  /** Launches a claim with the annotations that the core writes. */
  const launched = async (world: ConformanceWorld) => {
    const claim = await world.claim('a')
    const { annotations } = await create(world, claim)
    return world.client.patch(
      karpenterKinds.NodeClaim,
      { name: 'a' },
      { type: 'merge', body: { metadata: { annotations } } },
    )
  }
  return {
    C03: async (world) => {
      const { metadata } = await launched(world)
      expect(metadata.annotations).toMatchObject({ [keys.version]: 'v1', [keys.hash]: expect.stringMatching(/^\d+$/) })
    },
    H02: async (world) => {
      const claim = await launched(world)
      await edit(world, { zones: ['example-1b'] })
      expect(await world.provider.isDrifted(claim, never)).toBeUndefined()
      await edit(world, { image: 'linux-2027' })
      expect(await world.provider.isDrifted(claim, never)).toBe('NodeClassDrift')
    },
    H03: async (world) => {
      const { metadata, ...claim } = await launched(world)
      await edit(world, { image: 'linux-2027' })
      const older = { ...metadata, annotations: { ...metadata.annotations, [keys.version]: 'v0' } }
      expect(await world.provider.isDrifted({ ...claim, metadata: older }, never)).toBeUndefined()
    },
    T08: async (world) => {
      await edit(world, { zones: ['example-1b'] })
      for (const type of await world.provider.instanceTypes(world.pool(), never)) {
        expect(type.requirements.find(({ key }) => key === labels.zone)?.values).toEqual(['example-1b'])
        const zones = type.offerings.map((offering) => coordinatesOf(type, offering).zone)
        expect(new Set(zones)).toEqual(new Set(['example-1b']))
      }
    },
  }
}
