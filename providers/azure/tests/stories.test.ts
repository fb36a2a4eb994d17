import { karpenterKinds, kinds } from '@kerf/apis'
import type { FakeAzure } from '@kerf/provider-azure/testing'
import { sampled } from '@kerf/testing'
import { testOneIn } from '@kerf/testing/sampled-test'
import { expect, test } from 'vitest'
import { leavesNothing, type Story, scale, story } from './azure-story.ts'
import { setWindow } from './kerf-on-fake-azure.ts'

const testSome = testOneIn(2, 'stories on Azure')

const NEWER = { name: '202602.02.0', publishedDate: '2026-02-02T00:00:00+00:00' }
/** The only size that stays available in the stories that remove the others. */
const LAST = 'Standard_E4d_v5'

/** Returns all sizes except `LAST`. */
const others = ({ offer }: FakeAzure) => offer.skus.filter(({ name }) => name !== LAST)

testSome('outside its maintenance window no node is replaced for a new image, in any form of the window', async () => {
  const harness = await story()
  const [start, end] = ['aksManagedNodeOSUpgradeSchedule-start', 'aksManagedNodeOSUpgradeSchedule-end']
  const at = (minutes: number): string => new Date(harness.clock.now() + minutes * 60_000).toISOString()
  await harness.runs()
  const before = harness.vms().map(({ id }) => id)
  harness.azure.offer.imageVersions = [NEWER, ...harness.azure.offer.imageVersions]
  for (const [window, message] of [
    [{ [start]: at(600), [end]: at(700) }, /newer images are used from/],
    [{ [start]: at(-10) }, /has no aksManagedNodeOSUpgradeSchedule-end; set it/],
    [{ [start]: 'on Sunday', [end]: at(700) }, /"on Sunday" is not an RFC 3339 time/],
  ] as const) {
    await setWindow(harness.client, window)
    await harness.restart()
    await harness.pass(900)
    expect(await harness.told('ImagesReady')).toMatch(message)
    expect(harness.vms().map(({ id }) => id)).toEqual(before)
  }
  await setWindow(harness.client, { [start]: at(-10), [end]: at(240) })
  await harness.until('every node of the new image', async () => `${await harness.images()}` === NEWER.name, 1_200)
  await harness.runs()
  await leavesNothing(harness)
})

testSome('an upgraded control plane is detected within a quarter of an hour, and its nodes are replaced', async () => {
  const harness = await story()
  await harness.runs()
  harness.upgrade('v1.36.2')
  await harness.until(
    'every node of the new version',
    async () => {
      const { items } = await harness.client.list(kinds.Node)
      return items.length > 0 && items.every(({ status }) => status?.nodeInfo?.kubeletVersion === 'v1.36.2')
    },
    2_400,
  )
  await harness.runs()
  await leavesNothing(harness)
})

testSome('after Azure evicts a spot VM, its pods run on another one, and nothing of it is left', async () => {
  const harness = await story({ capacityType: 'spot' })
  await harness.runs()
  expect(harness.vms().map(({ properties }) => properties.priority)).toEqual(harness.vms().map(() => 'Spot'))
  const [evicted] = harness.vms()
  harness.azure.vms.end(evicted?.name ?? '')
  await harness.until(
    'another VM instead',
    async () => {
      const { items } = await harness.client.list(karpenterKinds.NodeClaim)
      return (await harness.run()) === 3 && items.every(({ status }) => status?.nodeName !== evicted?.name)
    },
    1_200,
  )
  await leavesNothing(harness)
})

/** Shortages that leave one offering, at least. */
const shortages: readonly {
  readonly what: string
  readonly before: (azure: FakeAzure) => void
  readonly taken: (harness: Story) => unknown
  readonly expected: unknown
  /**
   * The number of launches that Azure refuses. Family quotas and size restrictions cause no refusals, because Kerf knows them before a
   * launch.
   */
  readonly refused: number
  readonly seed?: string
}[] = [
  {
    what: 'two zones are out of capacity',
    // With this seed, Kerf tries the third zone last.
    seed: 'zones 2',
    before: ({ vms }) => {
      vms.stockOuts = [{ zone: 'southcentralus-1' }, { zone: 'southcentralus-2' }]
    },
    taken: ({ vms }) =>
      vms()
        .map(({ zones }) => zones?.[0] ?? 'regional')
        .filter((zone) => zone === '1' || zone === '2'),
    ...{ expected: [], refused: 2 },
  },
  {
    what: 'the quota of all families but one is used up',
    before: (azure) => {
      for (const { family = '' } of others(azure)) azure.offer.quotas.set(family, 0)
    },
    taken: ({ sizes }) => sizes(),
    ...{ expected: [LAST], refused: 0 },
  },
  {
    what: 'the subscription may use one size only',
    before: (azure) => {
      azure.offer.skus = azure.offer.skus.map((sku) =>
        sku.name === LAST
          ? sku
          : {
              ...sku,
              restrictions: [
                { type: 'Location', values: ['southcentralus'], reasonCode: 'NotAvailableForSubscription' },
              ],
            },
      )
    },
    taken: ({ sizes }) => sizes(),
    ...{ expected: [LAST], refused: 0 },
  },
]

test.each(sampled(shortages, 1, 'shortages on Azure'))(
  '$what: Kerf launches the remaining offerings',
  async ({ before, taken, expected, refused, seed }) => {
    const harness = await story({ before, ...(seed === undefined ? {} : { seed }) })
    await harness.runs()
    expect(taken(harness)).toEqual(expected)
    expect(harness.azure.count('VirtualMachines_CreateOrUpdate') - harness.vms().length).toBe(refused)
    await leavesNothing(harness)
    // Kerf does not request an offering again that Azure has refused or restricts.
    const asked = harness.azure.count('VirtualMachines_CreateOrUpdate')
    await scale(harness, 3)
    await harness.runs()
    expect(taken(harness)).toEqual(expected)
    expect(harness.azure.count('VirtualMachines_CreateOrUpdate') - asked).toBe(harness.vms().length)
    await leavesNothing(harness)
  },
)

/**
 * The maximum number of launch attempts in four minutes during which no launch can succeed. Trying every size would need thousands of
 * attempts.
 */
const MOST_ASKED = 100

/** Faults that prevent launches, with their messages and how they end. */
const hindrances: readonly {
  readonly what: string
  readonly begin: (azure: FakeAzure) => void
  readonly end: (azure: FakeAzure) => void
  readonly says: RegExp
}[] = [
  {
    what: 'the regional quota is used up',
    begin: ({ offer }) => void offer.quotas.set('cores', 0),
    end: ({ offer }) => void offer.quotas.set('cores', 1_000),
    says: /InsufficientCapacityError: .*Total Regional Cores quota/,
  },
  {
    what: 'the subnet is full',
    begin: ({ nics }) => {
      nics.addresses = 0
    },
    end: ({ nics }) => {
      nics.addresses = 100
    },
    says: /does not have enough capacity/,
  },
  {
    what: 'Azure throttles',
    begin: ({ faults }) =>
      void faults.standing('VirtualMachines_CreateOrUpdate', { code: 'SubscriptionRequestsThrottled', status: 429 }),
    end: ({ faults }) => faults.recover(),
    says: /SubscriptionRequestsThrottled/,
  },
  {
    what: 'credentials have expired and none are given',
    begin: (azure) => {
      azure.tokens.hasIdentity = false
      azure.tokens.revoke()
    },
    end: (azure) => {
      azure.tokens.hasIdentity = true
    },
    says: /check the workload identity of Kerf's service account/,
  },
]

test.each(sampled(hindrances, 1, 'hindrances on Azure'))(
  '$what: a message says so, existing nodes keep running, and new ones launch after it ends',
  async ({ begin, end, says }) => {
    const harness = await story()
    await harness.runs()
    const before = harness.vms().map(({ id }) => id)
    const asked = harness.azure.count('VirtualMachines_CreateOrUpdate')
    begin(harness.azure)
    await scale(harness, 40)
    await harness.pass(240)
    expect(harness.azure.count('VirtualMachines_CreateOrUpdate') - asked).toBeLessThanOrEqual(MOST_ASKED)
    expect(harness.vms().map(({ id }) => id)).toEqual(before)
    expect(await harness.run()).toBeGreaterThanOrEqual(3)
    expect(
      `${await harness.events()}\n${JSON.stringify(harness.log.lines.filter(({ level }) => level !== 'debug'))}`,
    ).toMatch(says)
    end(harness.azure)
    await harness.runs(40, 7_200)
    await leavesNothing(harness)
  },
)

testSome(
  'after a crash during a launch and with Resource Graph a minute late, no VM is created twice and nothing is left',
  async () => {
    const harness = await story({ replicas: 10 })
    await harness.until('a VM under way', async () => harness.azure.count('VirtualMachines_CreateOrUpdate') > 0)
    await harness.restart()
    await harness.runs(10)
    await harness.pass(600)
    const { items } = await harness.client.list(karpenterKinds.NodeClaim)
    expect(
      harness
        .vms()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(items.map(({ metadata }) => `aks-${metadata.name}`).toSorted())
    await leavesNothing(harness)
  },
)
