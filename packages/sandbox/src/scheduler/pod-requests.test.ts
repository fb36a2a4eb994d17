import type { Container, PodSpec, PodStatus } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { podRequests } from './pod-requests.ts'
import { ResourceNames, schedulerAmount } from './quantities.ts'

const container = (cpu: string, more: Partial<Container> = {}): Container => ({
  name: `c-${cpu}`,
  resources: { requests: { cpu } },
  ...more,
})

const cpuOf = (spec: PodSpec, status?: PodStatus): number | undefined => {
  return podRequests(new ResourceNames(), pod('pod', { spec, status })).amounts[0]
}

const sidecar = (cpu: string): Container => container(cpu, { restartPolicy: 'Always' })

describe('the requests of a pod', () => {
  test.each<[string, PodSpec, number]>([
    ['containers add up', { containers: [container('100m'), container('1')] }, 1100],
    [
      'the biggest init container counts alone',
      { containers: [container('1')], initContainers: [container('3')] },
      3000,
    ],
    [
      'sidecars run together with the containers',
      { containers: [container('1')], initContainers: [sidecar('500m')] },
      1500,
    ],
    [
      'an init container after a sidecar runs together with it, one before does not',
      { containers: [container('1')], initContainers: [container('2'), sidecar('500m'), container('1800m')] },
      2300,
    ],
    [
      'sidecars that come later do not count for earlier ones',
      { containers: [container('100m')], initContainers: [container('2'), sidecar('500m')] },
      2000,
    ],
    [
      'pod-level resources replace the sum, overhead comes on top',
      { containers: [container('1')], resources: { requests: { cpu: '4' } }, overhead: { cpu: '250m' } },
      4250,
    ],
  ])('%s', (_, spec, expected) => {
    expect(cpuOf(spec)).toBe(expected)
  })

  test('a resize counts the larger of desired and allocated, and an infeasible one counts the allocated', () => {
    const spec: PodSpec = { containers: [container('3', { name: 'main' })] }
    const containerStatuses = [
      { name: 'main', resources: { requests: { cpu: '1' } }, allocatedResources: { cpu: '2' } },
    ]
    expect(cpuOf(spec, { containerStatuses })).toBe(3000)
    const conditions = [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }] as const
    expect(cpuOf(spec, { containerStatuses, conditions })).toBe(2000)
  })
})

test.each([
  ['cpu', '100m', 100],
  ['cpu', '0.1', 100],
  ['cpu', 2, 2000],
  ['cpu', '1500u', 2],
  ['memory', '1Gi', 1_073_741_824],
  ['memory', '128974848', 128_974_848],
  ['memory', '129e6', 129_000_000],
  ['memory', '1.5Ki', 1536],
  ['memory', '100m', 1],
  ['nvidia.com/gpu', '4', 4],
  ['memory', '24Ti', 24 * 2 ** 40],
])('%s %s counts as %s', (resource, quantity, expected) => {
  expect(schedulerAmount(resource, quantity)).toBe(expected)
})
