import { isConditionTrue, karpenterKinds, kinds, type Node, type NodeClaim, type ResourceKind } from '@kerf/apis'
import type { TestCluster } from '@kerf/control-plane/testing'
import type { KubeClient } from '@kerf/runtime'
import { expect } from 'vitest'
import { CloudNodes } from '../kubelets/cloud-nodes.ts'
import { KerfProcess } from './kerf-process.ts'
import { running } from './nginx-story.ts'
import { nginx, spreadPool } from './spread-objects.ts'
import { emptied, httpClient, installCrds } from './story-cluster.ts'
import { realUntil } from './until.ts'

/** A cloud's part in the story of `kerf run` as a process. */
export interface ProcessStory {
  /** The value of `--provider`. */
  readonly provider: string
  /** The environment with which the process reaches the cloud's fake. */
  readonly env: Readonly<Record<string, string>>
  /** The kinds of node classes and of the objects to which they refer. The NodePool uses the first one. */
  readonly classKinds: readonly [ResourceKind, ...ResourceKind[]]
  /** Creates one object of each kind, with the name `default`. */
  createClasses(client: KubeClient): Promise<void>
  /** Returns the Nodes of the running instances, as they register. */
  nodes(): readonly Node[]
  /** Returns the number of existing instances of this cluster. */
  instances(): number
  /** Compares a NodeClaim with its instance. */
  check(claim: NodeClaim): void
}

/**
 * Plays the story on a real control plane, with Kerf as a process: ten pods get instances, and nothing remains after the scale-down and
 * after the deletion of the NodePool and the node classes. Returns the output of the process.
 */
export const playProcessStory = async (shared: TestCluster, story: ProcessStory): Promise<string> => {
  const { provider, env, classKinds, createClasses, instances, check } = story
  const { kubeconfig } = await emptied(shared)
  const client = httpClient(shared)
  await installCrds(client)
  const kerf = KerfProcess.start(kubeconfig, [`--provider=${provider}`, '--disable-leader-election'], {
    ...env,
    SYSTEM_NAMESPACE: 'kube-system',
  })
  const nodes = new CloudNodes(client, () => story.nodes())
  nodes.start()
  const until = realUntil(client, () => kerf.output)
  const claims = async (): Promise<readonly NodeClaim[]> => (await client.list(karpenterKinds.NodeClaim)).items
  try {
    // The API server takes a moment to serve a new CRD.
    await until('the classes served', async () => {
      const answers = await Promise.allSettled([
        client.list(karpenterKinds.NodePool),
        ...classKinds.map((kind) => client.list(kind)),
      ])
      return answers.every(({ status }) => status === 'fulfilled')
    })
    await createClasses(client)
    const [{ group, kind }] = classKinds
    await client.create(karpenterKinds.NodePool, spreadPool({ group, kind, name: 'default' }))
    await client.create(kinds.Deployment, nginx(10))
    let launched: readonly NodeClaim[] = []
    // On a busy machine, a NodeClaim may still be launching although all pods already run on other nodes. Wait until it is initialized.
    await until('ten nginx pods running, and each claim initialized', async () => {
      launched = await claims()
      return (
        (await running(client)).length === 10 &&
        launched.length === instances() &&
        launched.every((claim) => isConditionTrue(claim, 'Initialized'))
      )
    })
    for (const claim of launched) check(claim)
    await client.patch(
      kinds.Deployment,
      { name: 'nginx', namespace: 'default' },
      { type: 'merge', body: { spec: { replicas: 0 } } },
    )
    await until('every instance gone', async () => instances() === 0)
    await until('every claim gone', async () => (await claims()).length === 0)
    await client.delete(karpenterKinds.NodePool, { name: 'general' })
    for (const each of classKinds) await client.delete(each, { name: 'default' })
    await until('the classes gone', async () => {
      const lists = await Promise.all(classKinds.map((each) => client.list(each)))
      return lists.every(({ items }) => items.length === 0)
    })
    expect(await kerf.stop()).toBe(0)
    return kerf.output
  } finally {
    await kerf.kill()
    await nodes.stop()
    await client.close()
  }
}
