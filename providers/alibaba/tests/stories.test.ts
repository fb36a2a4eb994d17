import { kinds } from '@kerf/apis'
import { nodeName, ZONES } from '@kerf/provider-alibaba/testing'
import { expect, test } from 'vitest'
import { story } from './kerf-on-fake-alibaba.ts'

test('ten pods get nodes, and after the scale-down nothing is left', async () => {
  const { runs, leavesNothing, instances, cloud } = await story({ replicas: 10 })
  await runs(10)
  expect(instances().length).toBeGreaterThan(0)
  await leavesNothing()
  expect(cloud.problems).toEqual([])
})

test('nodes with an old image are replaced after ACK publishes a new one', async () => {
  const { account, runs, until, instances, leavesNothing } = await story()
  await runs()
  account.images = account.images.map((image) => ({ ...image, id: image.id.replace('20250117', '20260117') }))
  const isNew = async (): Promise<boolean> => instances().every(({ image }) => image.includes('20260117'))
  await until('every instance with the new image', isNew, 2_400)
  await runs()
  await leavesNothing()
})

test('the notice of an interruption replaces a spot node before ECS releases it', async () => {
  const { account, client, clock, runs, until, instances, end, events, leavesNothing } = await story({
    capacityType: 'spot',
  })
  await runs()
  const [instance] = instances()
  const id = instance?.id ?? ''
  const { status } = await client.get(kinds.Node, { name: nodeName(id) })
  const lastTransitionTime = new Date(clock.now()).toISOString()
  const expired = { type: 'InstanceExpired', status: 'True', reason: 'Recycling', message: '', lastTransitionTime }
  const conditions = [...(status?.conditions ?? []), expired]
  await client.patch(
    kinds.Node,
    { name: nodeName(id) },
    { type: 'merge', body: { status: { conditions } } },
    { subresource: 'status' },
  )
  await until('the instance released', async () => account.instances.get(id)?.endsAt !== undefined, 300)
  expect(await events()).toContain('TerminatingOnInterruption')
  end(id)
  await runs()
  expect(instances().every(({ isSpot }) => isSpot)).toBe(true)
  await leavesNothing()
})

test('a zone without stock is left out', async () => {
  const { runs, instances, leavesNothing } = await story({
    before: ({ account }) => {
      account.outOfStock = [{ zone: ZONES[0] }, { zone: ZONES[1] }]
    },
  })
  await runs()
  expect(new Set(instances().map(({ zone }) => zone))).toEqual(new Set([ZONES[2]]))
  await leavesNothing()
})
