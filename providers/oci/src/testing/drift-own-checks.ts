import { karpenterKinds, ownField } from '@kerf/apis'
import {
  type Checks,
  type ConformanceHarness,
  currentDrift,
  expectRejection,
  launch,
} from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { hashAnnotations, type Upstream } from '../names.ts'
import { harnesses, MINUTE } from './check-support.ts'
import { IMAGE, SUBNET } from './fake-oci/names.ts'
import { CLASS, nodeClassKind } from './oci-harness.ts'

/** Checks of the hash of an OCINodeClass. */
export const hashChecks: Checks = {
  C03: async (harness) => {
    const { view } = await launch(harness, 'a')
    const { hash, version } = hashAnnotations.oracle
    expect(view.annotations).toEqual({ [hash]: expect.stringMatching(/^\d+$/), [version]: 'v1' })
  },
  H02: async (harness) => {
    const { claim } = await launch(harness, 'a')
    // The hash does not cover the size of the boot volume. Kerf compares the size with the instance instead.
    await harnesses.of(harness).change({ volumeConfig: { bootVolumeConfig: { sizeInGBs: 50 } } })
    expect(await currentDrift(harness, claim)).toBeUndefined()
    await harnesses.of(harness).change({ metadata: { a: 'b' } })
    expect(await currentDrift(harness, claim)).toBe('NodeClassStaticFieldDrift')
  },
  H03: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const { hash, version } = hashAnnotations.oracle
    const metadata = { annotations: { [hash]: '1', [version]: 'v0' } }
    await harness.client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body: { metadata } })
    expect(await currentDrift(harness, claim)).toBeUndefined()
  },
}

/** Checks of drift that compare instances with their class. */
export const driftChecks = (upstream: Upstream): Checks => ({
  H04: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const { account, clock, change } = harnesses.of(harness)
    const id = IMAGE.replace('olx86', 'newer')
    account.images = [...account.images, ...account.images.slice(0, 1).map((image) => ({ ...image, id, shapes: /./ }))]
    await change(
      upstream === 'oracle'
        ? { volumeConfig: { bootVolumeConfig: { imageConfig: { imageId: id, imageFilter: null } } } }
        : { imageSelector: [{ id }] },
    )
    await clock.advance(1_000)
    expect(await currentDrift(harness, claim)).toBe(upstream === 'oracle' ? 'imageMismatch' : 'ImageDrift')
  },
  H05: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const { account, clock } = harnesses.of(harness)
    const id = SUBNET.replace('nodes', 'other')
    account.subnets = account.subnets.map((subnet) => ({ ...subnet, id }))
    await clock.advance(10 * MINUTE)
    expect(await currentDrift(harness, claim)).toBe(upstream === 'oracle' ? 'PrimaryVnicMismatch' : 'SubnetDrift')
  },
  H07: async (harness) => {
    const { claim } = await launch(harness, 'a')
    // A new provider process has not seen any instance yet.
    harness.restart()
    harness.cloud.fail('describe', 'serverError')
    harness.cloud.fail('list', 'serverError')
    expect(await expectRejection(currentDrift(harness, claim))).toBeInstanceOf(Error)
  },
})

/** Checks of the controllers that resolve node classes. */
export const statusChecks = (upstream: Upstream): Checks => ({
  B07: async (harness) => {
    const { client, clock, events } = harnesses.of(harness)
    await launch(harness, 'a')
    await client.delete(nodeClassKind[upstream], { name: CLASS })
    await clock.advance(1_000)
    expect(await client.get(nodeClassKind[upstream], { name: CLASS })).toBeDefined()
    expect(events.events.map(({ reason }) => reason)).toContain('WaitingOnNodeClaimTermination')
    await client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await clock.advance(1_000)
    expect((await client.list(nodeClassKind[upstream])).items).toEqual([])
  },
  B08: async (harness) => {
    const { account, clock } = harnesses.of(harness)
    const ready = (): Promise<string | undefined> => readiness(harness, upstream)
    const { subnets } = account
    account.subnets = []
    await clock.advance(10 * MINUTE)
    expect(await ready()).toBe('False')
    account.subnets = subnets
    await clock.advance(10 * MINUTE)
    expect(await ready()).toBe('True')
  },
  B12: async (harness) => {
    expect(await readiness(harness, upstream)).toBe('True')
  },
})

const readiness = async (harness: ConformanceHarness, upstream: Upstream): Promise<string | undefined> => {
  const nodeClass = await harnesses.of(harness).client.get(nodeClassKind[upstream], { name: CLASS })
  const status = ownField(nodeClass, 'status')
  const conditions: unknown = ownField(status, 'conditions')
  const found = Array.isArray(conditions) ? conditions.find((each) => ownField(each, 'type') === 'Ready') : undefined
  const value = ownField(found, 'status')
  return typeof value === 'string' ? value : undefined
}
