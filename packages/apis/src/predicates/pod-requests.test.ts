import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import type { Container, ContainerStatus, Pod, PodSpec } from '../kubernetes/pod.ts'
import type { Quantity } from '../quantity.ts'
import { formatResources } from '../resource-list.ts'
import { podRequests } from './pod-requests.ts'

const asks = (cpu: string, memory = '0', more: Partial<Container> = {}): Container => ({
  name: `c-${cpu}-${memory}`,
  resources: { requests: { cpu, memory } },
  ...more,
})
const sidecar = (cpu: string, memory?: string): Container => asks(cpu, memory, { restartPolicy: 'Always' })

const requested = (spec: Partial<PodSpec>, status?: Pod['status']): Readonly<Record<string, string>> => {
  const requests = podRequests(pod('a', { spec: { containers: [], ...spec }, status }))
  return formatResources(Object.fromEntries([...requests].map(([name, amount]) => [name, amount as Quantity])))
}

/** `docs/spec/scheduling.md#requests-of-a-pod`. */
test.each<readonly [string, Partial<PodSpec>, string, string]>([
  ['the requests of containers are added', { containers: [asks('1', '1Gi'), asks('2', '1Gi')] }, '3', '2Gi'],
  [
    'the requests of sidecars are added to those of containers',
    { containers: [asks('1', '1Gi')], initContainers: [sidecar('2', '1Gi')] },
    '3',
    '2Gi',
  ],
  [
    'the largest init container counts if it requests more',
    { containers: [asks('1', '1Gi')], initContainers: [asks('4'), asks('2', '3Gi')] },
    '4',
    '3Gi',
  ],
  [
    'an init container runs together with the sidecars before it',
    { containers: [asks('1')], initContainers: [sidecar('2'), asks('3')] },
    '5',
    '0',
  ],
  [
    'an init container does not run together with the sidecars after it',
    { containers: [asks('1')], initContainers: [asks('3'), sidecar('2')] },
    '3',
    '0',
  ],
  [
    'the requests of several sidecars are added while they start',
    { containers: [asks('1')], initContainers: [sidecar('1'), sidecar('1'), asks('4'), sidecar('1')] },
    '6',
    '0',
  ],
  [
    'CPU and memory may be determined by different containers',
    { containers: [asks('1', '4Gi')], initContainers: [asks('3', '1Gi')] },
    '3',
    '4Gi',
  ],
  [
    'the overhead is added',
    { containers: [asks('1', '1Gi')], initContainers: [asks('2')], overhead: { cpu: '250m', memory: '1Gi' } },
    '2250m',
    '2Gi',
  ],
  [
    '143: requests of the pod replace those of its containers',
    { containers: [asks('3', '2Gi')], resources: { requests: { cpu: '1' } }, overhead: { cpu: '100m' } },
    '1100m',
    '2Gi',
  ],
  [
    'requests of the pod replace those of its containers only for cpu, memory and hugepages',
    { containers: [asks('3', '2Gi')], resources: { requests: { 'example.com/x': '1' } } },
    '3',
    '2Gi',
  ],
])('%s', (_, spec, cpu, memory) => {
  expect(requested(spec)).toMatchObject({ cpu, memory, pods: '1' })
})

test.each<readonly [string, Partial<ContainerStatus>, boolean, string]>([
  [
    '142: while a container shrinks, the actual resources count',
    { resources: { requests: { cpu: '1' } }, allocatedResources: { cpu: '2' } },
    false,
    '2',
  ],
  [
    'while a container grows, the requested resources count',
    { resources: { requests: { cpu: '100m' } }, allocatedResources: { cpu: '200m' } },
    false,
    '500m',
  ],
  [
    '142: an infeasible request does not count',
    { resources: { requests: { cpu: '100m' } }, allocatedResources: { cpu: '200m' } },
    true,
    '200m',
  ],
])('resize: %s', (_, container, isInfeasible, cpu) => {
  const status: Pod['status'] = {
    containerStatuses: [{ name: 'app', ...container }],
    conditions: isInfeasible ? [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }] : [],
  }
  expect(requested({ containers: [asks('500m', '0', { name: 'app' })] }, status)).toMatchObject({ cpu })
  const ofSidecar = asks('500m', '0', { name: 'app', restartPolicy: 'Always' })
  const { containerStatuses: initContainerStatuses = [], ...rest } = status
  expect(requested({ containers: [], initContainers: [ofSidecar] }, { ...rest, initContainerStatuses })).toMatchObject({
    cpu,
  })
})
