import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parseManifests } from '../manifests/parse-manifests.ts'
import { buildSnapshot, loadSnapshot } from './load-snapshot.ts'

const scenario = (name: string, ending = ''): Promise<Awaited<ReturnType<typeof loadSnapshot>>> => {
  const folder = fileURLToPath(new URL(`../../../../tests/scenarios/${name}/`, import.meta.url))
  return loadSnapshot([`${folder}cluster.yaml${ending}`], `${folder}instance-types.json`)
}
const from = (yaml: string) => buildSnapshot(parseManifests(`---\n${yaml}`, 'cluster.yaml'), () => [])

describe('a cluster from files', () => {
  test('separates pending pods from running ones, and joins nodes with claims', async () => {
    const { snapshot, pending } = await scenario('027-in-flight')
    expect(pending).toHaveLength(24)
    expect(snapshot.pools.map(({ nodePool }) => nodePool.metadata.name)).toEqual(['default'])
    expect(snapshot.pools[0]?.instanceTypes.length).toBeGreaterThan(20)
    const states = snapshot.nodes.map(({ nodeClaim, hasNode, initialized, taints }) => ({
      nodeClaim,
      hasNode,
      initialized,
      taints: taints.length,
    }))
    expect(states).toEqual(
      expect.arrayContaining([
        { nodeClaim: 'default-mrh69', hasNode: false, initialized: false, taints: 0 },
        { nodeClaim: 'default-9nlzt', hasNode: true, initialized: false, taints: 0 },
        { nodeClaim: 'default-k2hxv', hasNode: true, initialized: true, taints: 1 },
      ]),
    )
  })

  test('puts running pods on their nodes', async () => {
    const { snapshot } = await scenario('028-existing-topology')
    expect(snapshot.nodes.reduce((sum, node) => sum + node.pods.length, 0)).toBeGreaterThan(0)
    for (const node of snapshot.nodes) for (const pod of node.pods) expect(pod.spec.nodeName).toBe(node.nodeName)
  })

  test('reads ten thousand pods from a gzipped file', async () => {
    const { pending } = await scenario('042-large-generic', '.gz')
    expect(pending).toHaveLength(10_000)
  })

  test('sets the defaults of the API server', () => {
    const { pending, snapshot } = from(`
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: sandboxed}
handler: x
overhead: {podFixed: {cpu: 250m}}
---
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  runtimeClassName: sandboxed
  containers: [{name: c, resources: {limits: {cpu: "1", memory: 1Gi}, requests: {cpu: 500m}}}]
`)
    expect(pending[0]?.metadata.namespace).toBe('default')
    expect(pending[0]?.spec.overhead).toEqual({ cpu: '250m' })
    expect(pending[0]?.spec.containers[0]?.resources?.requests).toEqual({ cpu: '500m', memory: '1Gi' })
    expect(snapshot.namespaces).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'default', labels: { 'kubernetes.io/metadata.name': 'default' } },
      },
    ])
  })

  test('leaves out pods that do not wait for a node, and pools that never launch nodes for pods', () => {
    const { pending, snapshot } = from(`
{apiVersion: v1, kind: Pod, metadata: {name: gated}, spec: {containers: []}, status: {conditions: [{type: PodScheduled, status: "False", reason: SchedulingGated}]}}
---
{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: static}, spec: {replicas: 3, template: {spec: {}}}}
---
{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: going, deletionTimestamp: "2026-01-01T00:00:00Z"}, spec: {template: {spec: {}}}}
`)
    expect(pending).toEqual([])
    expect(snapshot.pools).toEqual([])
  })

  test('an empty status counts as no status, and a scheduling gate in the spec keeps a pod from being planned', () => {
    const { pending } = from(`
{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: []}, status: {}}
---
{apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {schedulingGates: [{name: example.com/g}], containers: []}}
`)
    expect(pending.map(({ metadata }) => metadata.name)).toEqual(['a'])
  })

  test.each([
    ['{apiVersion: v1, kind: Pod, metadata: {name: a}}', 'cluster.yaml:2: Pod a: spec is missing'],
    [
      '\n\n{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: p}, spec: 3}',
      'cluster.yaml:4: NodePool p: spec is missing',
    ],
    ['{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {}}', 'Pod default/a: spec.containers is missing'],
  ])('names the object that cannot be used: %s', (yaml, message) => expect(() => from(yaml)).toThrow(message))

  test('names an instance-type file that does not exist', async () => {
    await expect(loadSnapshot([fileURLToPath(import.meta.url)], '/nonexistent.json')).rejects.toThrow(
      /nonexistent\.json|not valid|apiVersion/,
    )
  })
})
