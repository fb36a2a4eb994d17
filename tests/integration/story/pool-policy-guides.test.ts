import { isConditionTrue, karpenterKinds, kinds, type Pod, policyKinds } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { expect, test } from 'vitest'
import { PoolStory } from './pool-story.ts'
import { readGuide, yamlBlocks } from './read-guide.ts'
import type { StoryCluster } from './story-cluster.ts'

const podsIn = async (cluster: StoryCluster, namespace: string): Promise<readonly Pod[]> =>
  (await cluster.client.list(kinds.Pod, { namespace })).items

/** Waits until as many pods of the namespace run. */
const runningIn = (cluster: StoryCluster, namespace: string, count: number): Promise<void> =>
  cluster.until(`${count} running pods in ${namespace}`, async () => {
    const pods = await podsIn(cluster, namespace)
    return pods.filter(({ status }) => status?.phase === 'Running').length === count
  })

const claims = async (cluster: StoryCluster) => (await cluster.client.list(karpenterKinds.NodeClaim)).items

/** Waits until Kerf accepts the policy for the NodePool. */
const acceptedFor = (cluster: StoryCluster, policy: string, nodePool: string): Promise<void> =>
  cluster.until(`${policy} to be accepted for ${nodePool}`, async () => {
    const { status } = await cluster.client.get(policyKinds.NodePoolPolicy, { name: policy })
    const target = status?.targets?.find(({ name }) => name === nodePool)
    return target !== undefined && isConditionTrue({ status: target }, 'Accepted')
  })

describeWithCustomResources('the guides of NodePoolPolicies, on a real control plane', (shared) => {
  test('sleep: the NodePool of kerf up sleeps, wakes, sleeps again, and stays awake without the policy', async () => {
    const { cluster, shell, steps, save, follow, ask } = await readGuide(shared(), 'sleep')
    const [hours = ''] = yamlBlocks('sleep')
    save('office-hours.yaml', hours)
    await ask('kubectl apply -f examples/quickstart/nodepool.yaml -f examples/quickstart/nginx.yaml')
    await runningIn(cluster, 'default', 10)

    await follow('kubectl label')
    expect(await follow('policy lint')).toContain('no problems\n')
    expect(await follow('kubectl apply')).toContain('condition met')
    await follow('kubectl patch')
    await cluster.until('the last node to be gone', async () => (await claims(cluster)).length === 0, 300)
    const asleep = await ask('kerf policy explain')
    // The day is left out if the NodePool wakes within 24 hours.
    expect(asleep).toMatch(/NodePool general sleeps until (Sun )?03:00 Europe\/Berlin, by NodePoolPolicy office-hours/)
    expect(asleep).toContain('10 pods wait for a NodePool that sleeps')
    const [waiting] = await podsIn(cluster, 'default')
    expect(await ask(`kerf explain pod default/${waiting?.metadata.name}`)).toMatch(/sleeps until (Sun )?03:00/)

    await follow('awake-until=')
    await runningIn(cluster, 'default', 10)
    expect(await follow('kubectl get nodeclaims')).toContain('NodePool general is kept awake by its annotation until ')
    await follow('get nodepoolpolicies')
    await follow('awake-until-')
    await cluster.until('the NodePool to sleep again', async () => {
      const { status } = await cluster.client.get(policyKinds.NodePoolPolicy, { name: 'office-hours' })
      return status?.targets?.some((target) => isConditionTrue({ status: target }, 'Sleeping')) === true
    })
    await follow('kubectl delete')
    await runningIn(cluster, 'default', 10)
    expect(shell.unrun(steps)).toEqual([])
  })

  test('access: the pod of the team gets a node, and the pod of another namespace waits', async () => {
    const { cluster, shell, steps, save, follow, ask } = await readGuide(shared(), 'access')
    const [access = ''] = yamlBlocks('access')
    save('access.yaml', access)
    await ask('kubectl apply -f examples/quickstart/nodepool.yaml')

    await follow('kubectl apply -f access.yaml')
    await follow('gpu.yaml')
    expect(await follow('kubectl wait')).toContain('condition met')
    await runningIn(cluster, 'research', 1)
    const [waiting] = await podsIn(cluster, 'shop')
    expect(waiting?.spec.nodeName).toBeUndefined()
    const why = 'not open to pods of namespace shop'
    expect(await ask('kerf policy explain')).toContain(`shop/${waiting?.metadata.name}  nodepool/gpu: ${why}`)
    expect(await ask(`kerf explain pod shop/${waiting?.metadata.name}`)).toContain(why)

    await follow('kerf policy fence | kubectl apply')
    expect(await follow('kubectl diff')).toBe('')
    await ask('kubectl delete deployment train --namespace shop')
    await cluster.until('the waiting pod to be gone', async () => (await podsIn(cluster, 'shop')).length === 0)
    expect(await follow('kerf policy list')).toContain('no problems\n')
    await follow('kubectl delete')
    expect((await cluster.client.list(policyKinds.NodePoolPolicy)).items).toEqual([])
    expect(shell.unrun(steps)).toEqual([])
  })

  test('sleep and access for one NodePool: neither policy changes the other, in either order', async () => {
    const { cluster, save, follow } = await readGuide(shared(), 'sleep', 'access')
    const [hours = ''] = yamlBlocks('sleep')
    const [access = ''] = yamlBlocks('access')
    save('office-hours.yaml', hours)
    save('access.yaml', access)
    const { client } = cluster
    await PoolStory.open(cluster, 'gpu')
    await client.patch(
      karpenterKinds.NodePool,
      { name: 'gpu' },
      { type: 'merge', body: { metadata: { labels: { stage: 'dev' } } } },
    )
    const parts = [
      { name: 'office-hours', apply: 'kubectl apply -f office-hours.yaml' },
      { name: 'gpu-for-research', apply: 'kubectl apply -f access.yaml' },
    ]
    for (const [first, second] of [parts, parts.toReversed()].map(([a, b]) => [a, b] as const)) {
      if (first === undefined || second === undefined) expect.fail('two policies')
      await follow(first.apply)
      await acceptedFor(cluster, first.name, 'gpu')
      await follow(second.apply)
      await acceptedFor(cluster, second.name, 'gpu')
      await client.delete(policyKinds.NodePoolPolicy, { name: first.name })
      await acceptedFor(cluster, second.name, 'gpu')
      await client.delete(policyKinds.NodePoolPolicy, { name: second.name })
    }
  })
})
