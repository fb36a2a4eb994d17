import { labels, type NodeClaim } from '@kerf/apis'
import { type InstanceView, isNodeClaimNotFound } from '@kerf/provider-contract'
import { create } from '@kerf/provider-contract/conformance'
import { afterEach, expect, test } from 'vitest'
import { createProxmoxHarness, type ProxmoxHarness } from '../testing/proxmox-harness.ts'

const never = new AbortController().signal
const started: ProxmoxHarness[] = []

afterEach(() => {
  for (const harness of started.splice(0)) harness.stop()
})

const inZone = { requirements: [{ key: labels.zone, operator: 'In' as const, values: ['pve-1'] }] }

const harnessWithInstance = async (): Promise<{ harness: ProxmoxHarness; claim: NodeClaim; view: InstanceView }> => {
  const harness = await createProxmoxHarness()
  started.push(harness)
  return { harness, ...(await launch(harness, 'a')) }
}

const launch = async (harness: ProxmoxHarness, name: string): Promise<{ claim: NodeClaim; view: InstanceView }> => {
  const claim = await harness.claim(name, inZone)
  return { claim, view: await create(harness, claim) }
}

/** Requests the deletion until the instance is gone, at most five times. Returns all other errors. */
const remove = async (harness: ProxmoxHarness, { claim, view }: { claim: NodeClaim; view: InstanceView }) => {
  const stored = { ...claim, status: { ...claim.status, providerID: view.providerID } } as NodeClaim
  const errors: string[] = []
  for (let call = 0; call < 5; call++) {
    try {
      await harness.provider.delete(stored, never)
    } catch (error) {
      if (isNodeClaimNotFound(error)) return { isGone: true, errors }
      errors.push(String(error))
    }
    await harness.clock.advance(5_000)
  }
  return { isGone: false, errors }
}

test('a new guest with the ID of a destroyed one can also be destroyed', async () => {
  const { harness, ...first } = await harnessWithInstance()
  // Garbage collection deletes an instance with one call and does not check it afterwards.
  const ended = { ...first.claim, status: { providerID: first.view.providerID } } as NodeClaim
  await harness.provider.delete(ended, never)
  const second = await launch(harness, 'b')
  expect(second.view.providerID).toBe(first.view.providerID)
  expect(await remove(harness, second)).toEqual({ isGone: true, errors: [] })
})

test.each([
  ['the storage fails', 'lvremove failed: Logical volume in use', 'the destruction failed: lvremove failed'],
  ['another task holds the guest', "can't lock file '/var/lock/qemu-server/lock-20000.conf' - got timeout", undefined],
])('a destruction that fails because %s is repeated', async (_why, problem, error) => {
  const { harness, ...first } = await harnessWithInstance()
  let isBroken = true
  harness.home.cluster.onDestroy = () => {
    const found = isBroken ? problem : undefined
    isBroken = false
    return found
  }
  const errors = error === undefined ? [] : [expect.stringContaining(error)]
  expect(await remove(harness, first)).toEqual({ isGone: true, errors })
})
