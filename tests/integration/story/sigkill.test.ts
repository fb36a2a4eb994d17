import { type Deployment, karpenterKinds, kinds, labels, parseQuantity, toWhole } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { type KubeClient, SeededRandom } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { KerfProcess } from './kerf-process.ts'
import { applyExample } from './manifests.ts'
import { realStory, type StoryCluster } from './story-cluster.ts'

const KILLS = 20
const PODS_PER_LIFE = 7
/** The seed that determines when the test kills the process. Set KERF_SIGKILL_SEED to replay a failure. */
const SEED = Number(process.env['KERF_SIGKILL_SEED'] ?? 20_261_121)

const FLAGS = ['--disable-leader-election', '--log-format=json']

/** Records which instances each NodeClaim had, from a watch that begins before the first process. */
class LaunchRecord {
  readonly instancesOf = new Map<string, Set<string>>()
  readonly nodesOf = new Map<string, Set<string>>()
  readonly #stop = new AbortController()
  readonly #watching: Promise<unknown>

  constructor(client: KubeClient) {
    const { signal } = this.#stop
    const follow = async (watch: () => Promise<void>): Promise<void> => {
      while (!signal.aborted) await watch().catch(() => {})
    }
    const claims = follow(async () => {
      for await (const event of client.watch(karpenterKinds.NodeClaim, { signal })) {
        if (event.type === 'BOOKMARK') continue
        const { metadata, status } = event.object
        if (status?.providerID !== undefined) add(this.instancesOf, metadata.uid ?? '', status.providerID)
      }
    })
    const nodes = follow(async () => {
      for await (const event of client.watch(kinds.Node, { signal, labelSelector: labels.nodePool })) {
        if (event.type === 'BOOKMARK') continue
        const { metadata, spec } = event.object
        if (spec.providerID !== undefined) add(this.nodesOf, spec.providerID, metadata.uid ?? '')
      }
    })
    this.#watching = Promise.all([claims, nodes])
  }

  async end(): Promise<void> {
    this.#stop.abort()
    await this.#watching
  }
}

const add = (to: Map<string, Set<string>>, key: string, value: string): void => {
  const values = to.get(key)
  if (values === undefined) to.set(key, new Set([value]))
  else values.add(value)
}

const setUp = async ({ client, pass }: StoryCluster): Promise<void> => {
  const retry = (): Promise<void> => pass(0.2)
  await applyExample(client, 'quickstart/nodepool.yaml', retry)
  await applyExample(client, 'quickstart/nginx.yaml', retry)
  // Small instance types, so that a scale-up needs many launches.
  const requirements = [{ key: labels.instanceType, operator: 'In', values: ['s-4x-amd64-linux'] }]
  await client.patch(
    karpenterKinds.NodePool,
    { name: 'general' },
    // Consolidation is off, because the test counts launches and consolidation would launch replacements.
    {
      type: 'merge',
      body: { spec: { limits: null, disruption: { consolidateAfter: 'Never' }, template: { spec: { requirements } } } },
    },
  )
  await client.patch(
    kwokNodeClassKind,
    { name: 'default' },
    { type: 'merge', body: { spec: { nodeRegistrationDelay: '1s' } } },
  )
}

const scale = (client: KubeClient, replicas: number): Promise<Deployment> =>
  client.patch(
    kinds.Deployment,
    { name: 'nginx', namespace: 'default' },
    { type: 'merge', body: { spec: { replicas } } },
  )

const runningPods = async (client: KubeClient): Promise<number> =>
  (await client.list(kinds.Pod, { namespace: 'default', fieldSelector: 'status.phase=Running' })).items.length

describeWithCustomResources('kerf run, killed at random moments of a scale-up', (shared) => {
  test(`${KILLS} times: nothing is lost and nothing is launched twice (seed ${SEED})`, async () => {
    const cluster = await realStory(shared(), async () => async () => {})
    const { client } = cluster
    const record = new LaunchRecord(client)
    const random = new SeededRandom(SEED)
    const processes: KerfProcess[] = []
    try {
      await setUp(cluster)
      let replicas = 0
      for (let life = 0; life < KILLS; life++) {
        replicas += PODS_PER_LIFE
        await scale(client, replicas)
        const kerf = KerfProcess.start(shared().kubeconfig, FLAGS)
        processes.push(kerf)
        await cluster.pass(0.4 + 3 * random.next())
        await kerf.kill()
        expect(kerf.output, 'no launch went wrong before').not.toMatch(
          /"level":"ERROR".*"component":"controller\.(provisioner|nodeclaim|nodepool)/,
        )
      }
      const kerf = KerfProcess.start(shared().kubeconfig, FLAGS)
      processes.push(kerf)
      try {
        await cluster.until(`${replicas} pods running`, async () => (await runningPods(client)) === replicas)
        await cluster.until('every claim to have its node', async () => {
          const { items } = await client.list(karpenterKinds.NodeClaim)
          return items.every(({ status }) => status?.nodeName !== undefined)
        })
      } catch (error) {
        throw new Error(`${error instanceof Error ? error.message : error}\n${kerf.output.slice(-4_000)}`)
      }
      const claims = (await client.list(karpenterKinds.NodeClaim)).items
      const nodes = (await client.list(kinds.Node, { labelSelector: labels.nodePool })).items
      const instances = claims.map(({ status }) => status?.providerID)
      expect(new Set(instances).size, 'one instance a claim').toBe(claims.length)
      expect(new Set(nodes.map(({ spec }) => spec.providerID)), 'instances and claims are one to one').toEqual(
        new Set(instances),
      )
      for (const [claim, launched] of record.instancesOf) {
        expect([...launched], `instances that claim ${claim} ever had`).toHaveLength(1)
      }
      for (const [instance, uids] of record.nodesOf) {
        expect([...uids], `nodes that instance ${instance} ever had`).toHaveLength(1)
      }
      expect(record.instancesOf.size, 'every claim ever made is still there').toBe(claims.length)
      const planned = claims.reduce(
        (sum, { spec }) => sum + toWhole(parseQuantity(spec.resources?.requests?.['pods'] ?? '0')),
        0,
      )
      expect(planned, 'no pod was given two nodes').toBeLessThanOrEqual(replicas)
      expect(await kerf.stop()).toBe(0)
    } finally {
      for (const kerf of processes) await kerf.kill()
      await record.end()
      await cluster.close()
    }
  })
})
