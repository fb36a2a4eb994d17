import { karpenterKinds, kinds, labels } from '@kerf/apis'
import { isInsufficientCapacity } from '@kerf/provider-contract'
import { create } from '@kerf/provider-contract/conformance'
import { node } from '@kerf/testing'
import { afterEach, expect, test } from 'vitest'
import { createProxmoxHarness, newFakes, type ProxmoxHarness } from '../testing/proxmox-harness.ts'
import { formatAddress, parseAddress, parseNetwork, slaacAddress } from './address.ts'
import { freeAddress } from './address-pool.ts'

const started: ProxmoxHarness[] = []
afterEach(() => {
  for (const harness of started.splice(0)) harness.stop()
})

/** Starts a harness whose templates have the address pool. */
const harnessWith = async (ipconfig0: string, change: Partial<Parameters<typeof createProxmoxHarness>[0]> = {}) => {
  const fakes = change.fakes ?? newFakes()
  for (const { cluster } of fakes.proxmox.values())
    for (const { config } of cluster.guests.values()) if (config['template'] === 1) config['ipconfig0'] = ipconfig0
  const harness = await createProxmoxHarness({ fakes, spec: { region: 'home' }, ...change })
  started.push(harness)
  return harness
}

const launch = async (harness: ProxmoxHarness, name: string) =>
  create({ ...harness, provider: harness.provider } as never, await harness.claim(name, { requests: { cpu: '1' } }))

const addressOf = ({ home }: ProxmoxHarness, name: string): string =>
  String(home.cluster.instances().find(({ config }) => config['name'] === name)?.config['ipconfig0'])

test('guests that launch together get different addresses, which nothing else uses', async () => {
  const harness = await harnessWith('ip=10.0.0.0/24,gw=10.0.0.1')
  const { cluster } = harness.home
  cluster.put({ vmid: 200, node: 'pve-1', config: { name: 'db', ipconfig0: 'ip=10.0.0.2/24,gw=10.0.0.1' } })
  cluster.change('pve-2', { cidr: '10.0.0.3/24' })
  const joined = node('other')
  await harness.client.create(kinds.Node, joined)
  const addresses = [{ type: 'InternalIP', address: '10.0.0.5' }]
  await harness.client.patch(
    ...([kinds.Node, { name: 'other' }, { type: 'merge', body: { status: { addresses } } }] as const),
    { subresource: 'status' },
  )
  await harness.clock.advance(10_000)
  await Promise.all(['a', 'b', 'c'].map((name) => launch(harness, name)))
  expect(['a', 'b', 'c'].map((name) => addressOf(harness, name)).toSorted()).toEqual(
    ['10.0.0.4', '10.0.0.6', '10.0.0.7'].map((address) => `ip=${address}/24,gw=10.0.0.1`),
  )
})

test('a restarted controller recognises the addresses that it has assigned', async () => {
  const harness = await harnessWith('ip=10.0.0.0/24')
  harness.home.cluster.change('pve-1', { cidr: '10.0.0.254/24' })
  harness.home.cluster.change('pve-2', { cidr: '10.0.0.253/24' })
  await launch(harness, 'a')
  await create({ ...harness, provider: harness.newProvider() } as never, await harness.claim('b'))
  expect(addressOf(harness, 'a')).toMatch(/^ip=10\.0\.0\.1\/24,gw=10\.0\.0\.25[34]$/)
  expect(addressOf(harness, 'b')).toMatch(/^ip=10\.0\.0\.2\/24,gw=10\.0\.0\.25[34]$/)
})

test('when a pool is full, the launch reports it, and a freed address is used again', async () => {
  const harness = await harnessWith('ip=10.0.0.0/30,gw=10.0.0.1')
  const view = await launch(harness, 'a')
  expect(addressOf(harness, 'a')).toBe('ip=10.0.0.2/30,gw=10.0.0.1')
  const error = await launch(harness, 'b').catch((thrown: unknown) => thrown)
  expect([isInsufficientCapacity(error), String(error)]).toEqual([
    true,
    expect.stringContaining('no address of 10.0.0.0/30 is free'),
  ])
  const claim = await harness.client.patch(
    ...([
      karpenterKinds.NodeClaim,
      { name: 'a' },
      { type: 'merge', body: { status: { providerID: view.providerID } } },
    ] as const),
    { subresource: 'status' },
  )
  await harness.provider.delete(claim, new AbortController().signal)
  await harness.clock.advance(200_000)
  await launch(harness, 'c')
  expect(addressOf(harness, 'c')).toBe('ip=10.0.0.2/30,gw=10.0.0.1')
})

test('if another controller gave the address to an earlier guest, the guest is launched again with another address', async () => {
  const harness = await harnessWith('ip=10.0.0.0/24,gw=10.0.0.1')
  const { cluster } = harness.home
  cluster.onClone = (vmid) => {
    cluster.onClone = () => undefined
    cluster.put({ vmid: vmid - 1, node: 'pve-1', config: { name: 'theirs', ipconfig0: 'ip=10.0.0.2/24' } })
  }
  await launch(harness, 'a')
  expect(addressOf(harness, 'a')).toBe('ip=10.0.0.3/24,gw=10.0.0.1')
  expect(
    cluster
      .instances()
      .map(({ config }) => config['name'])
      .toSorted(),
  ).toEqual(['a', 'theirs'])
})

test('in an IPv6 network, each guest gets the address derived from its network card', async () => {
  const harness = await harnessWith('ip=dhcp,ip6=2001:db8::/64,gw6=2001:db8::1')
  const view = await launch(harness, 'a')
  const mac = /=([0-9A-F:]{17})/.exec(String(harness.home.cluster.instances()[0]?.config['net0']))?.[1] ?? ''
  const network = parseNetwork('2001:db8::/64')
  const address = network && slaacAddress(network, mac)
  expect(addressOf(harness, 'a')).toBe(`ip=dhcp,ip6=${address && formatAddress(address)}/64,gw6=2001:db8::1`)
  expect(view.labels[labels.region]).toBe('home')
})

test('a template with a pool and no cloud-init drive cannot be used', async () => {
  const fakes = newFakes()
  for (const { cluster } of fakes.proxmox.values())
    for (const { config } of cluster.guests.values()) delete config['ide2']
  const harness = await harnessWith('ip=10.0.0.0/24', { fakes })
  const conditions = JSON.stringify((await harness.nodeClass()).status)
  expect(conditions).toContain('template 9000 has an address pool and no cloud-init drive')
})

test('addresses are parsed and formatted in their canonical form', () => {
  for (const text of ['10.0.0.1', '2001:db8::1', '::', 'fe80::1:0:0:1', '2001:db8:1:2:3:4:5:6']) {
    const address = parseAddress(text)
    expect(address && formatAddress(address)).toBe(text)
  }
  for (const text of ['10.0.0', '256.0.0.1', '01.0.0.1', '1::2::3', '2001:db8', 'g::'])
    expect(parseAddress(text)).toBeUndefined()
  const network = parseNetwork('10.0.0.0/29')
  const free = network && freeAddress({ index: 0, network, gateway: undefined }, (address) => address !== '10.0.0.6')
  expect(free).toBe('10.0.0.6')
  expect(network && freeAddress({ index: 0, network, gateway: undefined }, () => true)).toBeUndefined()
})
