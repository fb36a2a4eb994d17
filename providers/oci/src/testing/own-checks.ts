import { capacityTypes, karpenterKinds, labels, parseResources } from '@kerf/apis'
import { isInsufficientCapacity } from '@kerf/provider-contract'
import { type Checks, expectRejection, launch, never, unavailableOfferings } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { PREEMPTIBLE, type Upstream } from '../names.ts'
import { harnesses, MINUTE, preemptibleClaim } from './check-support.ts'
import { driftChecks, hashChecks, statusChecks } from './drift-own-checks.ts'
import { fakeKey } from './fake-oci/fake-oci.ts'
import { sizeChecks } from './size-own-checks.ts'

const launchChecks = (upstream: Upstream): Checks => ({
  C11: async (harness) => {
    const first = await harness.provider.create(await preemptibleClaim(harness, 'a'), never)
    expect(first.labels[labels.capacityType]).toBe(PREEMPTIBLE[upstream])
    const { account } = harnesses.of(harness)
    account.stockOuts = [{ isPreemptible: true }]
    const second = await harness.provider.create(await preemptibleClaim(harness, 'b'), never)
    expect(second.labels[labels.capacityType]).toBe(capacityTypes.onDemand)
  },
  C19: async (harness) => {
    harnesses.of(harness).account.stockOuts = [{ isPreemptible: true }]
    await harness.provider.create(await preemptibleClaim(harness, 'a'), never)
    expect(
      (await unavailableOfferings(harness)).filter(({ capacityType }) => capacityType === capacityTypes.onDemand),
    ).toEqual([])
  },
  C20: async (harness) => {
    harnesses.of(harness).account.ocpuLimit = 0
    const error = await expectRejection(harness.provider.create(await harness.claim('a'), never))
    expect([isInsufficientCapacity(error), String(error)]).toEqual([true, expect.stringContaining('LimitExceeded')])
    expect((await unavailableOfferings(harness)).length).toBeGreaterThan(0)
  },
  C24: async (harness) => {
    const { account, clock } = harnesses.of(harness)
    account.stockOuts = [{ isAfterwards: true }]
    account.options.startsFor = 1_000
    const claim = await harness.claim('a')
    const failed = expectRejection(harness.provider.create(claim, never))
    await clock.advance(10 * MINUTE)
    expect(isInsufficientCapacity(await failed)).toBe(true)
    expect(account.instances.living()).toEqual([])
    account.stockOuts = []
    await clock.advance(10 * MINUTE)
    const launching = harness.provider.create(claim, never)
    await clock.advance(MINUTE)
    await launching
    expect(account.instances.living()).toHaveLength(1)
  },
  C26: async (harness) => {
    await launch(harness, 'a')
    const [instance] = harnesses.of(harness).account.instances.living()
    const text = Buffer.from(instance?.details.metadata['user_data'] ?? '', 'base64').toString()
    for (const part of ['bash /etc/oke/oke-install.sh', '10.0.0.10', 'Q0E=', 'karpenter.sh/unregistered'])
      expect(text).toContain(part)
    expect(text).not.toContain('PRIVATE KEY')
  },
  T06: async (harness) => {
    // A list that the provider computed before the change must not be returned after it.
    expect(await harness.provider.instanceTypes(harness.pool(), never)).not.toEqual([])
    await harnesses
      .of(harness)
      .change(upstream === 'oracle' ? { kubeletConfig: { maxPods: 7 } } : { kubelet: { maxPods: 7 } })
    for (const { capacity } of await harness.provider.instanceTypes(harness.pool(), never))
      expect(capacity['pods']).toBe(parseResources({ pods: '7' })['pods'])
  },
  T09: async (harness) => {
    const prices = async () =>
      (await harness.provider.instanceTypes(harness.pool(), never)).map(({ offerings }) =>
        offerings.map(({ price }) => price),
      )
    const before = await prices()
    const { catalogue } = harnesses.of(harness)
    catalogue.isBroken = true
    const refresh = harness.provider.controllers?.().find(({ name }) => name === 'providers.pricing')
    const asked = catalogue.reads
    await refresh?.reconcile('', never)
    expect(catalogue.reads).toBe(asked + 1)
    expect(await prices()).toEqual(before)
  },
  D08: async (harness) => {
    const { claim } = await launch(harness, 'a')
    await harness.provider.delete(claim, never)
    const { oci } = harnesses.of(harness)
    const [request] = oci.requests.filter(({ operation }) => operation === 'TerminateInstance')
    expect(request?.query).toEqual({ preserveBootVolume: 'false', preserveDataVolumesCreatedAtLaunch: 'false' })
  },
  X05: async (harness) => {
    await launch(harness, 'a')
    harness.cloud.fail('launch', 'auth')
    await expectRejection(harness.provider.create(await harness.claim('b'), never))
    const claims = await harness.client.list(karpenterKinds.NodeClaim)
    const written = JSON.stringify([harness.events.events, harness.log.lines, claims])
    for (const secret of ['PRIVATE KEY', fakeKey.privateKey.slice(40, 80)]) expect(written).not.toContain(secret)
  },
})

/** Returns the checks that this package implements itself. */
export const ownChecks = (upstream: Upstream): Checks => ({
  ...(upstream === 'oracle' ? hashChecks : {}),
  ...driftChecks(upstream),
  ...statusChecks(upstream),
  ...sizeChecks(upstream),
  ...launchChecks(upstream),
})
