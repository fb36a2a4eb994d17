import { type KubeObject, LabelVocabulary, type NodePool } from '@kerf/apis'
import { node, nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { Audit } from '../../../../packages/cli/src/doctor/audit.ts'
import { auditFindings } from '../../../../packages/cli/src/doctor/finding.ts'
import { doctorChecks } from '../../src/diagnostics/doctor/index.ts'
import { gcpVocabulary } from '../../src/labels.ts'
import { type GCENodeClass, gceNodeClassKind } from '../../src/node-class/gce-node-class.ts'
import { gceNodeClass } from '../../src/testing/gce-node-class.ts'

const checks = await doctorChecks.load()

const pool = (name: string, { className = 'default', keys = [] as readonly string[] } = {}): NodePool => {
  const made = nodePool(name, { requirements: keys.map((key) => ({ key, operator: 'Exists' as const })) })
  const { template } = made.spec
  const nodeClassRef = { group: gceNodeClassKind.group, kind: 'GCENodeClass', name: className }
  return { ...made, spec: { ...made.spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } } }
}

const image = { sourceImage: 'projects/gke-node-images/global/images/one', requirements: [] }

const nodeClass = (name = 'default', images = [image]): GCENodeClass =>
  gceNodeClass(name, { status: { images, conditions: [] } })

const findings = (...objects: readonly KubeObject[]) =>
  auditFindings(
    new Audit({
      ...{ objects, now: 0, source: { kind: 'cluster', unread: new Map() } },
      ...{ typesOf: () => undefined, vocabulary: new LabelVocabulary(gcpVocabulary) },
    }),
    checks,
  )
    .filter(({ status }) => status !== 'pass')
    .map(({ id, objects: found }) => [id, ...found])

const gkeNode = (name: string, gkePool: string) => node(name, { labels: { 'cloud.google.com/gke-nodepool': gkePool } })

test('a healthy cluster and a cluster of another cloud have no findings', () => {
  expect(findings(pool('a'), nodeClass(), gkeNode('gke-demo-default-pool-1', 'default-pool'))).toEqual([])
  expect(findings(nodePool('other.cloud'), gkeNode('gk3-demo-nap-1', 'nap-1'))).toEqual([])
})

test('NodePools with labels that Karpenter’s provider has removed', () => {
  const old = pool('old', { keys: ['karpenter.k8s.gcp/instance-category'] })
  expect(findings(old, pool('new', { keys: ['karpenter.k8s.gcp/instance-family'] }), nodeClass())).toEqual([
    ['COX-019', 'NodePool old'],
  ])
})

test('nodes of Autopilot, and pools of node auto-provisioning', () => {
  const nodes = [gkeNode('gk3-demo-pool-1', 'pool-1'), gkeNode('gke-a', 'nap-e2'), gkeNode('gke-b', 'nap-e2')]
  expect(findings(pool('a'), nodeClass(), ...nodes)).toEqual([
    ['COX-020', 'Node gk3-demo-pool-1'],
    ['COX-021', 'node pool nap-e2'],
  ])
})

test('classes without images', () => {
  expect(findings(pool('a'), nodeClass('default', []), nodeClass('unused', []))).toEqual([
    ['POOL-020', 'GCENodeClass default'],
  ])
})

test('names that Compute Engine refuses', () => {
  const long = (length: number): string => 'a'.repeat(length)
  const pools = [pool('a.b'), pool('c', { className: 'd.e' }), pool(long(48)), pool(long(47))]
  expect(findings(...pools, nodeClass(), nodeClass('d.e'))).toEqual([
    ['POOL-021', 'NodePool a.b', 'NodePool c', `NodePool ${long(48)}`],
  ])
})
