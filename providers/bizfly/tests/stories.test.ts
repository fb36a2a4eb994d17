import { testOneIn } from '@kerf/testing/sampled-test'
import { expect } from 'vitest'
import { story } from './kerf-on-fake-bizfly.ts'

const testSome = testOneIn(2, 'stories on Bizfly Cloud')

testSome('ten pods get nodes, and after the scale-down no server, disk or cluster entry remains', async () => {
  const { runs, leavesNothing, servers, cloud, account } = await story({ replicas: 10 })
  await runs(10)
  const names = servers().map(({ name }) => name)
  expect(names.length).toBeGreaterThan(0)
  await leavesNothing()
  expect(account.left).toEqual(expect.arrayContaining(names))
  // The vendor's client could have sent every request, with its path, query and fields.
  expect(cloud.problems).toEqual([])
})

testSome('nodes with an old image are replaced after Bizfly Kubernetes Engine publishes a new one', async () => {
  const { account, runs, until, servers, leavesNothing } = await story()
  await runs()
  account.versions = account.versions.map((each) => ({ ...each, worker_image_id: `new-${each.worker_image_id}` }))
  const isNew = async (): Promise<boolean> => servers().every(({ image }) => image.startsWith('new-'))
  await until('every server with the new image', isNew, 2_400)
  await runs()
  await leavesNothing()
})
