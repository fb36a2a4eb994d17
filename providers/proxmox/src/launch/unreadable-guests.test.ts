import { labels } from '@kerf/apis'
import { LaunchPendingError } from '@kerf/provider-contract'
import { createWith } from '@kerf/provider-contract/conformance'
import { expect, onTestFinished, test } from 'vitest'
import { createProxmoxHarness } from '../testing/proxmox-harness.ts'

const never = new AbortController().signal
const MINUTE = 60_000

// Simulation seed 344 on Proxmox found this case.
test('after a restart, a claim waits if its guest may be on a hypervisor that does not respond', async () => {
  const harness = await createProxmoxHarness({ times: { clone: 8_000 } })
  onTestFinished(() => harness.stop())
  const { cluster } = harness.home
  const claim = await harness.claim('a', {
    requirements: [{ key: labels.zone, operator: 'In', values: ['pve-2', 'pve-1'] }],
  })
  await harness.provider.create(claim, never).catch(() => undefined)
  const [guest] = cluster.instances()
  const host = guest?.node ?? ''
  await harness.clock.advance(10_000)
  cluster.change(host, { isOnline: false })
  await harness.clock.advance(10_000)
  const next = harness.newProvider()
  await expect(next.create(claim, never)).rejects.toSatisfy(
    (error) => error instanceof LaunchPendingError && error.message.includes('does not respond'),
  )
  // A claim that is newer than the process cannot have a guest there.
  await harness.clock.advance(10 * MINUTE)
  const [other] = await createWith(harness.clock, [[next, await harness.claim('b')]])
  expect(other?.labels[labels.zone]).not.toBe(host)
  cluster.change(host, { isOnline: true })
  await harness.clock.advance(10_000)
  const [view] = await createWith(harness.clock, [[next, structuredClone(claim)]])
  expect(view?.providerID).toBe(`proxmox://home/${guest?.vmid}`)
  expect(cluster.instances().filter(({ config }) => config['name'] === 'a')).toHaveLength(1)
})
