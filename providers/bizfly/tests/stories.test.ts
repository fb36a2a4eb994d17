import { expect, test } from 'vitest'
import { story } from './kerf-on-fake-bizfly.ts'

test('ten pods get nodes, and after the scale-down no server, disk or entry of the cluster is left', async () => {
  const { runs, leavesNothing, servers, cloud, account } = await story({ replicas: 10 })
  await runs(10)
  const names = servers().map(({ name }) => name)
  expect(names.length).toBeGreaterThan(0)
  await leavesNothing()
  expect(account.left).toEqual(expect.arrayContaining(names))
  // Every request had a path, a query and fields that the vendor's client can send.
  expect(cloud.problems).toEqual([])
})

test('nodes with an old image are replaced after Bizfly Kubernetes Engine publishes a new one', async () => {
  const { account, runs, until, servers, leavesNothing } = await story()
  await runs()
  account.versions = account.versions.map((each) => ({ ...each, worker_image_id: `new-${each.worker_image_id}` }))
  const isNew = async (): Promise<boolean> => servers().every(({ image }) => image.startsWith('new-'))
  await until('every server with the new image', isNew, 2_400)
  await runs()
  await leavesNothing()
})
