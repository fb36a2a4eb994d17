import type { Node, NodeClaim, Pod } from '@kerf/apis'
import { node as buildNode, nodeClaim, pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { observeCluster } from './observe-cluster.ts'

const claim: NodeClaim = nodeClaim('general-1', { pool: 'general', nodeName: 'node-1' })
const node: Node = buildNode('node-1', { status: { allocatable: { cpu: '4', memory: '8Gi' } } })
const running = (spec: Partial<Pod['spec']>): Pod =>
  pod('pod', { nodeName: 'node-1', spec: { containers: [], ...spec } })
const podMeters = (pod: Pod) => {
  const knowledge = { priceOf: () => undefined, whyClaim: () => undefined, whyPending: () => undefined }
  const view = observeCluster({ pods: [pod], nodes: [node], claims: [claim], workloads: [] }, knowledge)
  return view.claims.map(({ cpuUsed, memoryUsed }) => [cpuUsed, memoryUsed])
}
const asking = (cpu: string, memory: string) => ({ requests: { cpu, memory } })

test('the meters count requests in the same way as decisions: with sidecars, large init containers and overhead', () => {
  const pod = running({
    containers: [{ name: 'app', resources: asking('1', '1Gi') }],
    initContainers: [
      { name: 'migrate', resources: asking('100m', '3Gi') },
      { name: 'proxy', restartPolicy: 'Always', resources: asking('500m', '1Gi') },
    ],
    overhead: { cpu: '500m', memory: '1Gi' },
  })
  expect(podMeters(pod)).toEqual([[0.5, 0.5]])
})

test('an invalid quantity does not affect the other figures', () => {
  expect(podMeters(running({ containers: [{ name: 'app', resources: asking('much', '1Gi') }] }))).toEqual([[0, 0]])
})

test('a pod with scheduling gates does not wait for Kerf', () => {
  const gated = pod('held', { spec: { containers: [], schedulingGates: [{ name: 'shop/ready' }] } })
  const knowledge = { priceOf: () => undefined, whyClaim: () => undefined, whyPending: () => undefined }
  const { quiet, waiting } = observeCluster({ pods: [gated], nodes: [], claims: [], workloads: [] }, knowledge)
  expect({ quiet, waiting }).toEqual({
    quiet: true,
    waiting: [{ pod: 'default/held', why: 'blocked by its scheduling gate shop/ready' }],
  })
})
