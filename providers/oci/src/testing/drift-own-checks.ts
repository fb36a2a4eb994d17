import { karpenterKinds, ownField } from '@kerf/apis'
import type { Checks, ConformanceHarness } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { type Dialect, hashAnnotations } from '../names.ts'
import { drift, failureOf, launched, MINUTE, ownHarness } from './check-support.ts'
import { IMAGE, SUBNET } from './fake-oci/names.ts'
import { CLASS, nodeClassKind } from './oci-harness.ts'

/** Checks of the hash of an OCINodeClass. */
export const hashChecks: Checks = {
  C03: async (harness) => {
    const { view } = await launched(harness, 'a')
    const { hash, version } = hashAnnotations.oracle
    expect(view.annotations).toEqual({ [hash]: expect.stringMatching(/^\d+$/), [version]: 'v1' })
  },
  H02: async (harness) => {
    const { claim } = await launched(harness, 'a')
    // The size of the boot volume is not hashed. It is compared with that of the instance.
    await ownHarness(harness).change({ volumeConfig: { bootVolumeConfig: { sizeInGBs: 50 } } })
    expect(await drift(harness, claim)).toBeUndefined()
    await ownHarness(harness).change({ metadata: { a: 'b' } })
    expect(await drift(harness, claim)).toBe('NodeClassStaticFieldDrift')
  },
  H03: async (harness) => {
    const { claim } = await launched(harness, 'a')
    const { hash, version } = hashAnnotations.oracle
    const metadata = { annotations: { [hash]: '1', [version]: 'v0' } }
    await harness.client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body: { metadata } })
    expect(await drift(harness, claim)).toBeUndefined()
  },
}

/** Checks of the comparison of instances with their class. */
export const driftChecks = (dialect: Dialect): Checks => ({
  H04: async (harness) => {
    const { claim } = await launched(harness, 'a')
    const { account, clock, change } = ownHarness(harness)
    const id = IMAGE.replace('olx86', 'newer')
    account.images = [...account.images, ...account.images.slice(0, 1).map((image) => ({ ...image, id, shapes: /./ }))]
    await change(
      dialect === 'oracle'
        ? { volumeConfig: { bootVolumeConfig: { imageConfig: { imageId: id, imageFilter: null } } } }
        : { imageSelector: [{ id }] },
    )
    await clock.advance(1_000)
    expect(await drift(harness, claim)).toBe(dialect === 'oracle' ? 'imageMismatch' : 'ImageDrift')
  },
  H05: async (harness) => {
    const { claim } = await launched(harness, 'a')
    const { account, clock } = ownHarness(harness)
    const id = SUBNET.replace('nodes', 'other')
    account.subnets = account.subnets.map((subnet) => ({ ...subnet, id }))
    await clock.advance(10 * MINUTE)
    expect(await drift(harness, claim)).toBe(dialect === 'oracle' ? 'PrimaryVnicMismatch' : 'SubnetDrift')
  },
  H07: async (harness) => {
    const { claim } = await launched(harness, 'a')
    // A new provider process has not seen any instance yet.
    harness.restart()
    harness.cloud.fail('describe', 'serverError')
    harness.cloud.fail('list', 'serverError')
    expect(await failureOf(drift(harness, claim))).toBeInstanceOf(Error)
  },
})

/** Checks of the controllers that resolve node classes. */
export const statusChecks = (dialect: Dialect): Checks => ({
  B07: async (harness) => {
    const { client, clock, events } = ownHarness(harness)
    await launched(harness, 'a')
    await client.delete(nodeClassKind[dialect], { name: CLASS })
    await clock.advance(1_000)
    expect(await client.get(nodeClassKind[dialect], { name: CLASS })).toBeDefined()
    expect(events.events.map(({ reason }) => reason)).toContain('WaitingOnNodeClaimTermination')
    await client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await clock.advance(1_000)
    expect((await client.list(nodeClassKind[dialect])).items).toEqual([])
  },
  B08: async (harness) => {
    const { account, clock } = ownHarness(harness)
    const ready = (): Promise<string | undefined> => readiness(harness, dialect)
    const { subnets } = account
    account.subnets = []
    await clock.advance(10 * MINUTE)
    expect(await ready()).toBe('False')
    account.subnets = subnets
    await clock.advance(10 * MINUTE)
    expect(await ready()).toBe('True')
  },
  B12: async (harness) => {
    expect(await readiness(harness, dialect)).toBe('True')
  },
})

const readiness = async (harness: ConformanceHarness, dialect: Dialect): Promise<string | undefined> => {
  const nodeClass = await ownHarness(harness).client.get(nodeClassKind[dialect], { name: CLASS })
  const status = ownField(nodeClass, 'status')
  const conditions: unknown = ownField(status, 'conditions')
  const found = Array.isArray(conditions) ? conditions.find((each) => ownField(each, 'type') === 'Ready') : undefined
  const value = ownField(found, 'status')
  return typeof value === 'string' ? value : undefined
}
