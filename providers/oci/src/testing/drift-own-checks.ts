import { karpenterKinds } from '@kerf/apis'
import type { Checks } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { type Dialect, hashAnnotations } from '../names.ts'
import { drift, failureOf, launched, ownHarness } from './check-support.ts'
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
    await ownHarness(harness).change({
      networkConfig: { primaryVnicConfig: { subnetConfig: { subnetId: SUBNET, subnetFilter: null } } },
    })
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
    const { client, clock } = ownHarness(harness)
    const id = IMAGE.replace('olx86', 'newer')
    const status =
      dialect === 'oracle' ? { volume: { images: [{ imageId: id }] } } : { images: [{ id, requirements: [] }] }
    await client.patch(
      nodeClassKind[dialect],
      { name: CLASS },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    )
    await clock.advance(1_000)
    expect(await drift(harness, claim)).toBe(dialect === 'oracle' ? 'imageMismatch' : 'ImageDrift')
  },
  H05: async (harness) => {
    const { claim } = await launched(harness, 'a')
    const { client, clock } = ownHarness(harness)
    const id = SUBNET.replace('nodes', 'other')
    const status =
      dialect === 'oracle'
        ? { network: { primaryVnic: { subnet: { subnetId: id } } } }
        : { subnets: [{ id, name: 'other' }] }
    await client.patch(
      nodeClassKind[dialect],
      { name: CLASS },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    )
    await clock.advance(1_000)
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
