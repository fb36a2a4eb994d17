import { expect, test } from 'vitest'
import type { ApiCall } from '../api/interceptor.ts'
import { deployment, node, Story } from './story.ts'

test('filling 400 nodes with 4,000 pods costs three writes a pod, and resting costs a Lease a node', async () => {
  const writes = new Map<string, number>()
  const before = ({ verb, kind }: ApiCall): void => {
    if (['get', 'list', 'watch'].includes(verb)) return
    const name = verb === 'bind' ? 'bind' : `${verb} ${kind?.kind}`
    writes.set(name, (writes.get(name) ?? 0) + 1)
  }
  await using story = await Story.start({ events: false, interceptor: { before } })
  for (let index = 0; index < 400; index++) await story.apply(node(`node-${index}`, { cpu: '16', memory: '64Gi' }))
  await story.settle()
  for (let index = 0; index < 8; index++)
    await story.apply(deployment(`app-${index}`, 500, { cpu: '1', memory: '1Gi' }))
  await story.settle()
  expect(story.pods().filter((pod) => pod.status?.phase === 'Running')).toHaveLength(4000)
  expect(story.cluster.scheduler?.attempts).toBe(4000)
  expect(Object.fromEntries([...writes].filter(([name]) => name === 'bind' || name.endsWith('Pod')))).toEqual({
    'create Pod': 4000,
    bind: 4000,
    'patch Pod': 4000,
  })
  const statuses = (writes.get('patch ReplicaSet') ?? 0) + (writes.get('patch Deployment') ?? 0)
  expect(statuses).toBeLessThan(8 * 40)
  writes.clear()
  await story.pass(3_600_000)
  expect([...writes.keys()]).toEqual(['patch Lease'])
  expect(writes.get('patch Lease')).toBeLessThanOrEqual(400 * 13)
})
