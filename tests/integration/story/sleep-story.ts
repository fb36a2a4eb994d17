import { findCondition, karpenterKinds, policyKinds } from '@kerf/apis'
import { expect } from 'vitest'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

const POLICY = 'office-hours'
const HOUR = 3_600_000
const EVERY_DAY = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/**
 * The hours of a NodePool end. Kerf removes one of its two nodes at once, and the other at the deadline, because a PodDisruptionBudget
 * protects its pod. The pods wait, and their Events report until when. The annotation wakes the NodePool, and without the annotation it
 * sleeps again.
 */
export const runSleepStory = async (cluster: StoryCluster): Promise<void> => {
  const { client, clock } = cluster
  const story = await PoolStory.open(cluster, 'dev')
  await story.deploy(1, { cpu: '3' })
  await story.protect('web', { maxUnavailable: 0 })
  await story.deployBeside('free', { cpu: '3' })
  await story.settledAt(2)

  const clockAt = (later: number): string => new Date(clock.now() + later).toISOString().slice(11, 16)
  await client.create(policyKinds.NodePoolPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'NodePoolPolicy',
    metadata: { name: POLICY },
    spec: {
      targetRefs: [{ group: 'karpenter.sh', kind: 'NodePool', name: story.name }],
      sleep: {
        timeZone: 'Etc/UTC',
        awake: [{ days: EVERY_DAY, start: clockAt(6 * HOUR), end: clockAt(12 * HOUR) }],
        deadline: '1m',
      },
    },
  })
  const sleeping = async () => {
    const { status } = await client.get(policyKinds.NodePoolPolicy, { name: POLICY })
    const [target] = status?.targets ?? []
    return target === undefined ? undefined : findCondition({ status: target }, 'Sleeping')
  }
  await cluster.until('one node to be left', async () => (await story.claims()).length === 1)
  await cluster.until('the condition to say so', async () => {
    const { status, message = '' } = (await sleeping()) ?? {}
    return status === 'True' && /Nodes left: 1\..* Kerf terminates them by \d\d:\d\d Etc\/UTC/.test(message)
  })
  const [left] = await story.claims()
  expect(left?.metadata.deletionTimestamp).toBeUndefined()
  await cluster.until('the deadline to end the last node', async () => (await story.claims()).length === 0, 300)
  await story.toldBy('FailedScheduling', 'sleeps until ', 'Pod')
  expect((await story.pods()).map(({ spec }) => spec.nodeName)).toEqual([undefined, undefined])

  const wake = async (until: string | null): Promise<void> => {
    const body = { metadata: { annotations: { 'kerf.sh/awake-until': until } } }
    await client.patch(karpenterKinds.NodePool, { name: story.name }, { type: 'merge', body })
  }
  await wake(new Date(clock.now() + HOUR).toISOString())
  await story.settledAt(2)
  await cluster.until('the condition to say why', async () => (await sleeping())?.reason === 'Woken')
  await wake(null)
  await cluster.until('the last node to end again', async () => (await story.claims()).length === 0, 300)
  await client.delete(policyKinds.NodePoolPolicy, { name: POLICY })
  await story.settledAt(2)
}
