import { findCondition, type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { nginx } from '../../../../tests/integration/story/spread-objects.ts'
import { hashAnnotations, type Upstream } from '../../src/names.ts'
import type { FakeInstance } from '../../src/testing/fake-oci/fake-account.ts'
import { nodeClassKind } from '../../src/testing/oci-harness.ts'
import { story } from '../kerf-on-fake-oci.ts'
import { claimNames, loadUpstreamState, POOL } from './upstream-state.ts'

const upstreams: readonly Upstream[] = ['community', 'oracle']
const HOUR = 3_600

/** Returns the parts of an object that a public provider compares or reads: everything except the status. */
const kept = ({ metadata, ...object }: KubeObject): unknown => {
  const { resourceVersion: _version, managedFields: _fields, ...rest } = metadata
  const { spec = {} } = object as { readonly spec?: { readonly taints?: readonly { readonly key: string }[] } }
  // The node controller adds and removes its own taints.
  const taints = spec.taints?.filter(({ key }) => !key.startsWith('node.kubernetes.io/'))
  return { metadata: rest, spec: { ...spec, taints } }
}

const read = async <T extends KubeObject>(client: KubeClient, kind: ResourceKind<T>): Promise<readonly unknown[]> =>
  (await client.list(kind)).items.map(kept)

/** Matches the operations that change resources in the cloud. */
const CHANGES = /^(?:Launch|Terminate|Update|Create|Delete|Change|Attach|Detach)/

const takeOver = async (upstream: Upstream) => {
  const writes: string[] = []
  let instances: readonly FakeInstance[] = []
  const before = new Map<string, readonly unknown[]>()
  const kindsRead = [karpenterKinds.NodeClaim, karpenterKinds.NodePool, kinds.Node, nodeClassKind[upstream]] as const
  const made = await story({
    upstream,
    load: async (client, fake, clock) => {
      instances = await loadUpstreamState(upstream, client, fake, clock)
      // The kubelets of the nodes need time to report.
      await clock.advance(5_000)
      for (const kind of kindsRead) before.set(kind.kind, await read(client, kind as ResourceKind<KubeObject>))
    },
    interceptor: {
      after: ({ verb, kind, ref, subresource }) => {
        if (!['get', 'list', 'watch', 'raw'].includes(verb) && kind?.kind !== 'Event')
          writes.push([verb, kind?.kind, ref?.name, subresource].filter(Boolean).join(' '))
      },
    },
  })
  return { ...made, writes, instances, before, kindsRead }
}

test.each(sampled(upstreams, 1, 'instances taken over'))(
  'a cluster of the public provider of the %s kind: in an hour no instance is touched and no NodeClaim is replaced',
  async (upstream) => {
    const { client, account, cloud, pass, writes, instances, before, kindsRead } = await takeOver(upstream)
    await pass(HOUR)
    expect(cloud.requests.filter(({ operation }) => CHANGES.test(operation))).toEqual([])
    expect(instances.map(({ id }) => account.instances.get(id))).toEqual(instances)
    for (const kind of kindsRead)
      expect(await read(client, kind as ResourceKind<KubeObject>), kind.kind).toEqual(before.get(kind.kind))
    for (const claim of (await client.list(karpenterKinds.NodeClaim)).items)
      expect(findCondition(claim, 'Drifted'), claim.metadata.name).toBeUndefined()
    // Kerf writes only conditions, and only a few times per NodeClaim.
    const ofClaims = writes.filter((write) => / NodeClaim /.test(write))
    expect(new Set(ofClaims)).toEqual(new Set(claimNames.map((name) => `patch NodeClaim ${name} status`)))
    expect(ofClaims.length).toBeLessThanOrEqual(8 * claimNames.length)
    expect(writes.filter((write) => / Node /.test(write))).toEqual([])
    expect(cloud.problems).toEqual([])
  },
)

test.each(sampled(upstreams, 1, 'drift after a take-over'))(
  'the way back from the %s kind: a node of Kerf has the tags, labels, annotations and finalizers of the public provider',
  async (upstream) => {
    const { client, account, runs, instances, until } = await takeOver(upstream)
    const deployment = nginx(12)
    const { template } = deployment.spec
    const tolerations = [{ operator: 'Exists' as const }]
    await client.create(kinds.Deployment, {
      ...deployment,
      spec: { ...deployment.spec, template: { ...template, spec: { ...template.spec, tolerations } } },
    })
    await runs(12)
    const claims = async () => (await client.list(karpenterKinds.NodeClaim)).items
    await until('new nodes', async () =>
      (await claims()).every((claim) => findCondition(claim, 'Initialized')?.status === 'True'),
    )
    const [theirs] = (await claims()).filter(({ metadata }) => claimNames.includes(metadata.name))
    const own = (await claims()).filter(({ metadata }) => !claimNames.includes(metadata.name))
    expect(own.length).toBeGreaterThan(0)
    const stamps = Object.values(hashAnnotations[upstream])
    for (const { metadata, status } of own) {
      const { labels = {}, annotations = {} } = metadata
      for (const key of [...stamps, 'karpenter.sh/nodepool-hash', 'karpenter.sh/nodepool-hash-version'])
        expect(annotations[key], key).toBe(theirs?.metadata.annotations?.[key])
      expect(Object.keys(labels)).toEqual(expect.arrayContaining(Object.keys(theirs?.metadata.labels ?? {})))
      expect(metadata.finalizers).toEqual(theirs?.metadata.finalizers)
      expect(metadata.ownerReferences).toEqual(theirs?.metadata.ownerReferences)
      const { details } = account.instances.get(status?.providerID ?? '') ?? {}
      const [other] = instances
      const keysOf = (tags: object | undefined) => Object.keys(tags ?? {})
      expect(keysOf(details?.freeformTags)).toEqual(expect.arrayContaining(keysOf(other?.details.freeformTags)))
      for (const [namespace, tags] of Object.entries(other?.details.definedTags ?? {}))
        expect(keysOf(details?.definedTags?.[namespace])).toEqual(expect.arrayContaining(keysOf(tags)))
      expect(JSON.stringify(details)).toContain(`"${POOL}"`)
    }
    // Kerf's finalizers equal the public provider's, so the public provider can remove them after a switch back.
    const [nodeClass] = (await client.list(nodeClassKind[upstream])).items
    expect(nodeClass?.metadata.finalizers).toEqual(['karpenter.sh/termination'])
  },
)
