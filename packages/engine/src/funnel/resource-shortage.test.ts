import { parseQuantity } from '@kerf/apis'
import { expect, test } from 'vitest'
import type { InstanceType } from '../instance-type.ts'
import { reasonSentence } from '../reasons/reason.ts'
import { cluster, instanceType, type PodOptionsInTest, pod } from '../testing/cluster-builders.ts'
import { explainPod } from '../testing/core-labels.ts'
import { nearness } from './pool-funnel.ts'

const GPU = 'nvidia.com/gpu'
const withGpus = (name: string, cpu: number, gpus: string): InstanceType => {
  const type = instanceType(name, cpu, '256Gi')
  return { ...type, capacity: { ...type.capacity, [GPU]: parseQuantity(gpus) } }
}
const small = [instanceType('m-4', 4, '16Gi'), instanceType('m-64', 64, '256Gi')]
const taint = { key: GPU, effect: 'NoSchedule' } as const

const explained = (pools: ReturnType<typeof cluster>, options: PodOptionsInTest) => {
  const train = pod('train', options)
  const { reasons, remedies, funnels } = explainPod(pools.snapshot, [train], train)
  return { reasons: reasons.map(reasonSentence), remedies: remedies.map(({ text }) => text), funnels }
}
const gpus = (count: string, cpu = '500m'): PodOptionsInTest => ({ cpu, requests: { cpu, [GPU]: count } })

test('a GPU that no type of the pool has is named before a shortage of cpu, a taint, a limit and a label', () => {
  const pools = cluster().pool('general', {
    types: small,
    taints: [{ key: 'team', effect: 'NoSchedule' }],
    limits: { cpu: '0' },
  })
  for (const cpu of ['500m', '64', '1000']) {
    const { reasons, remedies } = explained(pools, gpus('8', cpu))
    expect(reasons).toEqual([`nodepool/general: no instance type of this NodePool offers ${GPU}`])
    expect(remedies).toEqual([])
  }
})

test('a shortage of GPUs is named before a shortage of cpu, with the remedy that was tried', () => {
  const pools = cluster().pool('gpu', { types: [...small, withGpus('g-16', 16, '4')] })
  const few = explained(pools, gpus('8', '4'))
  expect(few.reasons).toEqual([`nodepool/gpu: ${GPU} is short by 4 on g-16`])
  expect(few.remedies).toEqual([`lower the request of ${GPU} to 4`])
  expect(explained(pools, gpus('8', '65')).reasons).toEqual([`nodepool/gpu: ${GPU} is short by 4 on g-16`])
})

test('cpu is compared with the types that have enough GPUs, not with larger types that have none', () => {
  const pools = cluster().pool('gpu', { types: [...small, withGpus('g-16', 16, '8')] })
  const { reasons, remedies } = explained(pools, gpus('8', '16'))
  expect(reasons).toEqual(['nodepool/gpu: cpu is short by 0.1 on g-16'])
  expect(remedies).toEqual(['lower the request of cpu to 15900m'])
})

test('a pool that refuses the pod only by its taint comes before a pool without the resource', () => {
  const pools = cluster()
    .pool('general', { types: small })
    .pool('gpu', { types: [withGpus('g-16', 16, '8')], taints: [taint] })
  const { reasons, remedies } = explained(pools, gpus('8'))
  expect(reasons).toEqual([
    `nodepool/gpu: taint ${GPU}:NoSchedule is not tolerated`,
    `nodepool/general: no instance type of this NodePool offers ${GPU}`,
  ])
  expect(remedies).toEqual([`tolerate the taint ${GPU}:NoSchedule`])
})

test('a pool whose daemons use all GPUs comes before a pool without GPUs', () => {
  const pools = cluster()
    .pool('general', { types: small })
    .pool('gpu', { types: [withGpus('g-16', 16, '8')] })
    .with({ daemonPods: [pod('monitor', { cpu: '10m', requests: { cpu: '10m', [GPU]: '8' } })] })
  const { funnels, reasons } = explained(pools, gpus('8'))
  expect(reasons).toEqual([
    `nodepool/gpu: ${GPU} is short by 8 on g-16`,
    `nodepool/general: no instance type of this NodePool offers ${GPU}`,
  ])
  expect(funnels.toSorted((a, b) => nearness(b) - nearness(a)).map(({ nodePool }) => nodePool)).toEqual([
    'gpu',
    'general',
  ])
})

test.each([
  ['a pool without a resource is not near, whatever it accepts', { cpu: '1', 'hugepages-2Mi': '4Mi' }, 'tainted'],
  ['a pool that lacks only the combination of resources is near', { cpu: '60', memory: '40Gi' }, 'general'],
])('%s', (_name, requests, nearest) => {
  const types = [instanceType('c-64', 64, '16Gi'), instanceType('r-4', 4, '64Gi')]
  const pools = cluster()
    .pool('general', { types })
    .pool('tainted', { types, taints: [taint] })
  const spec = { nodeSelector: { 'kubernetes.io/arch': 'amd64' } }
  expect(explained(pools, { cpu: requests.cpu, requests, spec }).reasons[0]).toMatch(`nodepool/${nearest}: `)
})

test('a resource without a domain in its name, or a request of 0, does not come before a shortage of cpu', () => {
  const pools = cluster().pool('general', { types: small })
  expect(explained(pools, { cpu: '64', requests: { cpu: '64', 'hugepages-2Mi': '4Mi' } }).reasons).toEqual([
    'nodepool/general: cpu is short by 0.1 on m-64',
  ])
  expect(explained(pools, gpus('0', '64')).reasons).toEqual(['nodepool/general: cpu is short by 0.1 on m-64'])
})

test('if another constraint excludes all types with the resource, the reason says so', () => {
  const pools = cluster().pool('mixed', { types: [...small, withGpus('g-16', 16, '8')] })
  const nodeSelector = { 'node.kubernetes.io/instance-type': 'm-4' }
  const { reasons, remedies } = explained(pools, { ...gpus('1'), spec: { nodeSelector } })
  expect(reasons).toEqual([`nodepool/mixed: no instance type that is left offers ${GPU}`])
  expect(remedies).toEqual(['nodeSelector node.kubernetes.io/instance-type=m-4'])
})
