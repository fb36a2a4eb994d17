import { formatTime, karpenterKinds, kinds, labels, type Milliseconds } from '@kerf/apis'
import { type InstanceView, NodeClaimNotFoundError } from '@kerf/provider-contract'
import { node } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { createKitHarness, serverClaim } from '../testing/server-class.ts'
import { type InstanceGarbageCollectionOptions, instanceGarbageCollection } from './garbage-collection.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

interface Plant extends Partial<InstanceView> {
  /** When the instance was created. Default: one hour before the test begins. */
  readonly born?: Milliseconds
}

type Options = Partial<InstanceGarbageCollectionOptions>

/** Creates a cloud with servers, and a controller that collects servers without an owner. */
const startHarness = async (options: Options = {}) => {
  const servers = new Map<string, InstanceView>()
  const ended: string[] = []
  let lists = 0
  let listFails = false
  /** Called between the read of the cloud and the return of the listing. */
  let onList = async (): Promise<void> => undefined
  const harness = await createKitHarness((context) => [
    instanceGarbageCollection({
      ...context,
      name: 'instance.garbagecollection',
      list: async () => {
        lists++
        if (listFails) throw new Error('the cloud is away')
        const listed = [...servers.values()]
        await onList()
        return listed
      },
      terminate: async ({ providerID }) => {
        ended.push(providerID)
        if (!servers.delete(providerID)) throw new NodeClaimNotFoundError('gone')
      },
      ...options,
    }),
  ])
  onTestFinished(() => harness.stop())
  const start = harness.clock.now()
  const plant = (name: string, { born = start - HOUR, ...view }: Plant = {}): string => {
    const providerID = `server://${name}`
    servers.set(providerID, {
      ...{ providerID, labels: {}, annotations: {}, capacity: {}, allocatable: {} },
      createdAt: formatTime(born),
      ...view,
    })
    return providerID
  }
  /** Creates a NodeClaim whose status contains the instance. If `providerID` is undefined, the claim has no instance. */
  const claim = async (name: string, providerID?: string) => {
    const { metadata, ...made } = serverClaim(name)
    const created = await harness.client.create(karpenterKinds.NodeClaim, {
      ...made,
      metadata: { name, labels: { [labels.nodePool]: 'web' } },
    })
    const ref = { name }
    if (providerID !== undefined)
      await harness.client.patch(
        karpenterKinds.NodeClaim,
        ref,
        { type: 'merge', body: { status: { providerID } } },
        { subresource: 'status' },
      )
    return created
  }
  return {
    ...harness,
    ...{ ended, plant, claim },
    lists: () => lists,
    fail: (fails: boolean) => {
      listFails = fails
    },
    whileListed: (work: typeof onList) => {
      onList = work
    },
  }
}

test('an instance that belongs to no claim is terminated, and its Node is deleted; other instances are kept', async () => {
  const { plant, claim, client, start, ended, log } = await startHarness()
  const [leaked, owned] = [plant('leaked'), plant('owned')]
  await claim('a', owned)
  for (const [name, providerID] of [
    ['leaked-node', leaked],
    ['owned-node', owned],
  ] as const) {
    const made = node(name)
    await client.create(kinds.Node, { ...made, spec: { ...made.spec, providerID } })
  }
  await start()
  expect(ended).toEqual([leaked])
  expect((await client.list(kinds.Node)).items.map(({ metadata }) => metadata.name)).toEqual(['owned-node'])
  expect(log.lines.filter(({ message }) => message === 'garbage collected instance')).toHaveLength(1)
})

test('an instance is kept in its first 30 seconds, while it is terminating, and if its age is unknown', async () => {
  const { plant, start, ended, clock } = await startHarness()
  const young = plant('young', { born: clock.now() })
  plant('ending', { deletionTimestamp: formatTime(clock.now()) })
  plant('ageless', { createdAt: 'no time' })
  await start()
  await clock.advance(29 * SECOND)
  expect(ended).toEqual([])
  await clock.advance(12 * SECOND)
  expect(ended).toEqual([young])
})

test('an instance that carries a claim’s uid belongs only to that claim, until the claim is gone', async () => {
  const { plant, claim, client, start, ended, clock } = await startHarness()
  const { metadata } = await claim('a')
  const own = plant('own', { nodeClaimUid: metadata.uid ?? '' })
  const other = plant('other', { nodeClaimUid: 'gone' })
  await start()
  expect(ended).toEqual([other])
  await client.delete(karpenterKinds.NodeClaim, { name: 'a' })
  await clock.advance(11 * SECOND)
  expect(ended).toEqual([other, own])
})

test('an instance without a uid is kept while a matching claim of its pool and time has no instance', async () => {
  const mayBeFor = ({ providerID }: InstanceView): boolean => !providerID.endsWith('never')
  const { plant, claim, start, ended, clock } = await startHarness({ mayBeFor })
  await claim('a')
  const now = clock.now()
  plant('of-the-pool', { nodePool: 'web', born: now - 60 * SECOND })
  plant('of-no-pool', { born: now - 60 * SECOND })
  const wrong = [
    plant('of-another-pool', { nodePool: 'batch', born: now - 60 * SECOND }),
    plant('before-the-claim', { nodePool: 'web', born: now - 61 * SECOND }),
    plant('never', { nodePool: 'web', born: now - 60 * SECOND }),
  ]
  await start()
  expect(ended.toSorted()).toEqual(wrong.toSorted())
})

test('a claim that is created while the cloud is listed protects its instance', async () => {
  const { plant, claim, start, ended, whileListed } = await startHarness()
  const late = plant('late')
  whileListed(async () => {
    whileListed(async () => undefined)
    await claim('a', late)
  })
  await start()
  expect(ended).toEqual([])
})

test('if a listing fails, nothing is deleted, and the listing is retried', async () => {
  const { plant, start, ended, fail, clock } = await startHarness()
  const leaked = plant('leaked')
  fail(true)
  await start()
  expect(ended).toEqual([])
  fail(false)
  await clock.advance(60 * SECOND)
  expect(ended).toEqual([leaked])
})

test('if an instance disappears before its termination, there is no retry', async () => {
  const { plant, start, ended, whileListed, lists, clock } = await startHarness({
    terminate: async () => {
      throw new NodeClaimNotFoundError('gone')
    },
  })
  plant('leaked')
  whileListed(async () => undefined)
  await start()
  const before = lists()
  await clock.advance(10 * SECOND)
  // Nothing failed, so the next round runs at the regular time.
  expect([lists() - before, ended]).toEqual([1, []])
})

test('the first twenty rounds run every ten seconds, the later ones every two minutes', async () => {
  const { start, lists, clock } = await startHarness()
  await start()
  await clock.advance(200 * SECOND)
  const before = lists()
  expect(before).toBe(21)
  await clock.advance(119 * SECOND)
  expect(lists()).toBe(before)
  await clock.advance(2 * SECOND)
  expect(lists()).toBe(before + 1)
})
