import { findCondition, karpenterKinds, kinds } from '@kerf/apis'
import { type GCENodeClassSpec, gceNodeClassKind } from '@kerf/provider-gcp/node-class'
import { gceNodeClass } from '@kerf/provider-gcp/testing/node-class'
import { onTestFinished } from 'vitest'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { nginx, spreadPool } from '../../../tests/integration/story/spread-objects.ts'
import { type FakeGcpStory, type StoryOptions, startFakeGcpStory } from './kerf-on-fake-gcp.ts'

/**
 * Starts Kerf with an in-memory Google Cloud, which is closed when the test ends. Returns the story, extended with the queries that the
 * tests use.
 */
export const story = async (options: StoryOptions = {}) => {
  const harness = await startFakeGcpStory(options)
  onTestFinished(() => harness.close())
  const { client } = harness
  const run = async (): Promise<number> => (await running(client)).length
  return {
    ...harness,
    run,
    runs: (count = 3, seconds = 600) =>
      harness.until(`${count} pods running`, async () => (await run()) === count, seconds),
    /** Returns a condition of a GCENodeClass as text. */
    condition: async (type: string, name = 'default'): Promise<string> => {
      const { status, reason, message } = findCondition(await client.get(gceNodeClassKind, { name }), type) ?? {}
      return `${status} ${reason}: ${message}`
    },
    /** Returns the Launched condition of each NodeClaim as text. */
    launches: async (): Promise<readonly string[]> =>
      (await client.list(karpenterKinds.NodeClaim)).items.map((claim) => {
        const { status, reason, message } = findCondition(claim, 'Launched') ?? {}
        return `${status} ${reason}: ${message}`
      }),
    events: async (): Promise<string> =>
      (await client.list(kinds.Event)).items.map(({ reason, message }) => `${reason}: ${message}`).join('\n'),
    instances: (): readonly string[] => harness.gcp.instances.all().map(({ body }) => body.name),
    types: (): readonly string[] => [...new Set(harness.gcp.instances.all().map(({ facts }) => facts.name))],
    zones: (): readonly string[] => [...new Set(harness.gcp.instances.all().map(({ zone }) => zone))],
  }
}

export const scale = ({ client }: Pick<FakeGcpStory, 'client'>, replicas: number): Promise<unknown> =>
  client.patch(
    kinds.Deployment,
    { name: 'nginx', namespace: 'default' },
    { type: 'merge', body: { spec: { replicas } } },
  )

/** Deletes the Deployments, and waits until every instance and every NodeClaim is gone. */
export const leavesNothing = async (harness: FakeGcpStory): Promise<void> => {
  for (const { metadata } of (await harness.client.list(kinds.Deployment)).items)
    await harness.client.delete(kinds.Deployment, { name: metadata.name, namespace: 'default' })
  await harness.until(
    'no instance and no claim left',
    async () =>
      (await harness.client.list(karpenterKinds.NodeClaim)).items.length === 0 &&
      harness.gcp.instances.all().length === 0,
    1_800,
  )
}

const OTHER = 'other'

/**
 * Creates another node class and NodePool, and a pod that needs them. Returns a function that waits until the pod runs. This shows that a
 * fault does not affect other NodePools.
 */
export const otherPool = async (
  { client, until }: FakeGcpStory,
  spec: Partial<GCENodeClassSpec> = {},
): Promise<() => Promise<void>> => {
  const ref = { group: gceNodeClassKind.group, kind: gceNodeClassKind.kind, name: OTHER }
  await client.create(gceNodeClassKind, gceNodeClass(OTHER, { spec }))
  const taints = [{ key: OTHER, effect: 'NoSchedule' as const }]
  const { requirements } = spreadPool(ref).spec.template.spec
  const pool = spreadPool(ref, {
    template: { spec: { nodeClassRef: ref, expireAfter: 'Never', requirements, taints } },
  })
  await client.create(karpenterKinds.NodePool, { ...pool, metadata: { ...pool.metadata, name: OTHER } })
  const { template } = nginx(1).spec
  const labels = { app: OTHER }
  await client.create(kinds.Deployment, {
    ...nginx(1),
    metadata: { name: OTHER, namespace: 'default' },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...template.spec,
          nodeSelector: { 'karpenter.sh/nodepool': OTHER },
          tolerations: [{ key: OTHER, operator: 'Exists' }],
        },
      },
    },
  })
  return () =>
    until('the pod of the other NodePool running', async () => {
      const { items } = await client.list(kinds.Pod, { namespace: 'default', labelSelector: `app=${OTHER}` })
      return items.some(({ status }) => status?.phase === 'Running')
    })
}

export type Story = Awaited<ReturnType<typeof story>>
