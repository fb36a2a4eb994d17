import { expect, test } from 'vitest'
import { formatDescription, type GuestDescription, parseDescription } from './guest-description.ts'

const description: GuestDescription = {
  ...{ cluster: 'demo', nodeClass: 'default', nodePool: 'general', nodeClaim: 'general-x1', nodeClaimUid: 'u-1' },
  ...{ instanceType: 's1.2VCPU-8GB', capacityType: 'on-demand', cpus: 2, memoryMiB: 8192, imageId: '9000-12' },
  createdAt: '2026-11-30T08:00:00Z',
}

test('a description is parsed as it was written, although Proxmox adds a line break at the end', () => {
  expect(parseDescription(`${formatDescription(description)}\n`)).toEqual(description)
  expect(formatDescription(description)).toMatch(
    /^Karpenter managed instance, class=default, capacity-type=on-demand\n/,
  )
})

test('a pinned guest has its CPUs in the line of Karpenter’s own provider', () => {
  const pinned = { ...description, affinity: '0-1,8', numa: '0:3:8192' }
  expect(formatDescription(pinned)).toMatch(/capacity-type=on-demand, affinity=0-1,8\ncluster=demo/)
  expect(parseDescription(formatDescription(pinned))).toEqual(pinned)
})

test('a guest of Karpenter’s own provider has a class and a capacity type', () => {
  expect(parseDescription('Karpenter managed instance, class=default, capacity-type=spot, affinity=0,8')).toEqual({
    nodeClass: 'default',
    capacityType: 'spot',
    affinity: '0,8',
  })
})

test.each(['', 'my desktop', 'cluster=demo, nodeclaim-uid=u-1'])(
  'the description %j is of neither Kerf nor Karpenter',
  (text) => {
    expect(parseDescription(text)).toBeUndefined()
  },
)
