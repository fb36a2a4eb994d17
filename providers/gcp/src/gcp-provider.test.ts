import { karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import {
  CreateError,
  findError,
  type InstanceView,
  isInsufficientCapacity,
  LaunchPendingError,
} from '@kerf/provider-contract'
import { expect, onTestFinished, test } from 'vitest'
import type { GcpProvider } from './gcp-provider.ts'
import { createGcpHarness, type GcpHarness, type GcpHarnessOptions } from './testing/gcp-harness.ts'
import { sourceTemplate } from './testing/source-template.ts'

const never = new AbortController().signal
const CREATED = 25_000
const INSERT = 'compute.instances.insert'

const start = async (options: GcpHarnessOptions = {}): Promise<GcpHarness> => {
  const harness = await createGcpHarness(options)
  onTestFinished(() => harness.stop())
  return harness
}

const outcomeOf = async (work: Promise<InstanceView>): Promise<InstanceView | unknown> => {
  try {
    return await work
  } catch (error) {
    return error
  }
}

const providerPending = async (provider: GcpProvider, claim: NodeClaim): Promise<LaunchPendingError> => {
  const error = findError(await outcomeOf(provider.create(claim, never)), LaunchPendingError)
  if (error === undefined) throw new Error('the launch is not pending')
  return error
}

const providerFailure = async (provider: GcpProvider, claim: NodeClaim): Promise<CreateError | undefined> =>
  findError(await outcomeOf(provider.create(claim, never)), CreateError)

/** Writes the labels of a pending launch to the NodeClaim, like Kerf's core. */
const promise = ({ client }: GcpHarness, { metadata }: NodeClaim, pending: LaunchPendingError): Promise<NodeClaim> =>
  client.patch(
    karpenterKinds.NodeClaim,
    { name: metadata.name },
    { type: 'merge', body: { metadata: { labels: pending.coming?.labels } } },
  )

test('a launch is pending until its operation is done, and the instance matches the pending view', async () => {
  const { provider, clock, claim, gcp } = await start()
  const made = await claim('a')
  const { coming, retryAfter } = await providerPending(provider, made)
  expect(retryAfter).toBe(2_000)
  expect((await providerPending(provider, made)).coming).toEqual(coming)
  await clock.advance(CREATED)
  const view = await provider.create(made, never)
  expect(view).toMatchObject({ capacity: coming?.capacity, allocatable: coming?.allocatable, labels: coming?.labels })
  expect(view.imageID).toContain('gke-node-images')
  expect(gcp.count(INSERT)).toBe(1)
})

test('claims spread over the zones, and a restart chooses the same zone for a claim', async () => {
  const harness = await start()
  const { provider, claim, gcp } = harness
  const claims = await Promise.all(Array.from({ length: 12 }, (_, index) => claim(`a${index}`)))
  for (const made of claims) await providerPending(provider, made)
  expect(new Set(gcp.instances.all().map(({ zone }) => zone)).size).toBe(3)
  for (const { zone, body } of gcp.instances.all()) gcp.instances.vanish(zone, body.name)
  const again = harness.newProvider()
  // The operations are the same as in the first run, because the request ids are the same.
  for (const made of claims) await providerPending(again, made)
  expect(gcp.instances.all()).toEqual([])
})

test.each(['before', 'after'])(
  'a process that dies %s the claim shows its promise launches no second instance',
  async (when) => {
    const harness = await start()
    const { clock, gcp } = harness
    let made = await harness.claim('a')
    const pending = await providerPending(harness.provider, made)
    if (when === 'after') made = await promise(harness, made, pending)
    const restarted = harness.newProvider()
    expect((await providerPending(restarted, made)).coming?.labels).toMatchObject({
      [labels.zone]: pending.coming?.labels[labels.zone],
      [labels.instanceType]: pending.coming?.labels[labels.instanceType],
    })
    await clock.advance(CREATED)
    const view = await restarted.create(made, never)
    expect(view.imageID).toContain('gke-node-images')
    expect(gcp.instances.all()).toHaveLength(1)
  },
)

test('after a restart, Kerf learns of a stock-out from the operation of the first run', async () => {
  const harness = await start()
  const { clock, gcp } = harness
  gcp.instances.failures.push({ code: 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS', offerings: {} })
  const made = await harness.claim('a')
  const claim = await promise(harness, made, await providerPending(harness.provider, made))
  await clock.advance(CREATED)
  gcp.instances.failures = []
  const restarted = harness.newProvider()
  const error = await outcomeOf(restarted.create(claim, never))
  expect([isInsufficientCapacity(error), String(error)]).toEqual([true, expect.stringContaining('POOL_EXHAUSTED')])
  expect(gcp.instances.all()).toEqual([])
})

test('an insert without a response launches no second instance, even if the offerings run out of stock meanwhile', async () => {
  const { provider, clock, claim, gcp } = await start()
  const made = await claim('a')
  gcp.faults.next(INSERT, { code: 'network', afterwards: true })
  expect((await providerFailure(provider, made))?.reason).toBe('GoogleCloudUnavailable')
  const [first] = gcp.instances.all()
  expect(first).toBeDefined()
  gcp.instances.failures.push({ code: 'ZONE_RESOURCE_POOL_EXHAUSTED', offerings: {}, isAtOnce: true })
  await providerPending(provider, made)
  await clock.advance(CREATED)
  expect((await provider.create(made, never)).labels[labels.zone]).toBe(first?.zone)
  expect(gcp.instances.all()).toHaveLength(1)
})

test('the instance of a claim that is deleted while its launch is pending is found by its name, and deleted', async () => {
  const { provider, clock, claim, gcp } = await start()
  const made = await claim('a')
  await providerPending(provider, made)
  await provider.delete(made, never)
  expect(gcp.instances.all()).toMatchObject([{ status: 'STOPPING' }])
  await clock.advance(20_000)
  await expect(provider.delete(made, never)).rejects.toThrow('has no instance')
})

test('an operation that fails for another reason is retried with a new request id, and given up after three attempts', async () => {
  const { provider, clock, claim, gcp, pool } = await start()
  gcp.instances.failures.push({ code: 'INTERNAL_ERROR', offerings: {} })
  const made = await claim('a')
  const outcomes: unknown[] = []
  for (let attempt = 0; attempt < 3; attempt++) {
    await providerPending(provider, made)
    await clock.advance(CREATED)
    outcomes.push(await outcomeOf(provider.create(made, never)))
  }
  expect(outcomes.slice(0, 2).map((error) => findError(error, CreateError)?.reason)).toEqual([
    'InstanceCreationFailed',
    'InstanceCreationFailed',
  ])
  expect(isInsufficientCapacity(outcomes[2])).toBe(true)
  const out = (await provider.instanceTypes(pool(), never)).flatMap(({ offerings }) =>
    offerings.filter(({ available }) => !available),
  )
  expect(out).toHaveLength(1)
})

test('the condition and an event state what the user must change, and nothing is launched', async () => {
  const { provider, claim, gcp, events, client } = await start()
  const reasons = async (name: string) => (await providerFailure(provider, await claim(name)))?.reason
  gcp.templates = []
  expect(await reasons('a')).toBe('BootstrapSourceMissing')
  expect(events.events.map(({ reason }) => reason)).toContain('BootstrapSourceMissing')
  await client.delete(karpenterKinds.NodeClaim, { name: 'a' })
  expect(await reasons('a'.repeat(60))).toBe('InvalidInstanceName')
  expect(gcp.count(INSERT)).toBe(0)
})

test.each([
  ['expired credentials', 'CredentialsRefused', (gcp: GcpHarness['gcp']) => gcp.tokens.clear()],
  ['a disabled API', 'ApiDisabled', (gcp: GcpHarness['gcp']) => void gcp.disabled.add('compute')],
  ['a missing permission', 'PermissionDenied', (gcp: GcpHarness['gcp']) => void gcp.forbidden.add(INSERT)],
])(
  '%s: the claim says %s, nothing becomes unavailable, and the launch goes on afterwards',
  async (_, reason, breakIt) => {
    const { provider, claim, gcp, pool } = await start()
    // This launch reads instance types, zones and the source into the caches, so later launches do not read them.
    await providerPending(provider, await claim('first'))
    const made = await claim('a')
    breakIt(gcp)
    expect((await providerFailure(provider, made))?.reason).toBe(reason)
    gcp.tokens.add('new')
    gcp.disabled.clear()
    gcp.forbidden.clear()
    const types = await provider.instanceTypes(pool(), never)
    expect(types.flatMap(({ offerings }) => offerings).every(({ available }) => available)).toBe(true)
    await providerPending(provider, made)
  },
)

test('the pinned source pool must be running; otherwise the default pool comes first', async () => {
  const pinned = await start({ sourcePool: 'other' })
  pinned.gcp.templates = [
    sourceTemplate('default-pool'),
    sourceTemplate('other', { 'cluster-name': 'demo', marker: 'no', 'startup-script': 'mine' }),
  ]
  await providerPending(pinned.provider, await pinned.claim('a'))
  const [instance] = pinned.gcp.instances.all()
  expect(instance?.body.metadata?.items).toContainEqual({ key: 'startup-script', value: 'mine' })
  pinned.gcp.gke.nodePools = [{ name: 'other', status: 'STOPPING' }]
  await pinned.clock.advance(6 * 60_000)
  expect((await providerFailure(pinned.provider, await pinned.claim('b')))?.conditionMessage).toContain('is STOPPING')
})
