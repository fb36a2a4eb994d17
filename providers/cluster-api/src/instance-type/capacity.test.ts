import { formatResources } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { annotatedDeployment, capacityAnnotations } from '../testing/deployment.ts'
import { readCapacity } from './capacity.ts'
import { describeProblem } from './problem.ts'

const SIZE = { cpu: '2', memory: '4Gi' }

const capacity = (annotations: Readonly<Record<string, string>>) => {
  const { value, problems } = readCapacity(annotatedDeployment(capacityAnnotations(annotations)))
  return {
    amounts: value === undefined ? undefined : formatResources(value),
    problems: problems.map(({ reason, consequence, key, found }) => ({
      reason,
      consequence,
      key: key.slice(key.indexOf('/') + 1),
      found,
    })),
  }
}

describe('capacity (providers/cluster-api/docs/spec/cluster-api.md#capacity-annotations)', () => {
  test('comes from the annotations', () => {
    const all = { 'ephemeral-disk': '100Gi', maxPods: '250', 'gpu-type': 'nvidia.com/gpu', 'gpu-count': '2' }
    expect(capacity({ ...SIZE, ...all })).toEqual({
      amounts: { cpu: '2', memory: '4Gi', pods: '250', 'ephemeral-storage': '100Gi', 'nvidia.com/gpu': '2' },
      problems: [],
    })
  })

  test('has 110 pods and nothing else by default', () => {
    expect(capacity(SIZE)).toEqual({ amounts: { cpu: '2', memory: '4Gi', pods: '110' }, problems: [] })
  })

  test.each([
    ['3920m', '3920m'],
    ['1.5', '1500m'],
    [' 4 ', '4'],
    ['4e0', '4'],
    ['+2', '2'],
    ['.5', '500m'],
  ])('parses cpu %j like Kubernetes', (text, expected) => {
    expect(capacity({ ...SIZE, cpu: text })).toMatchObject({ amounts: { cpu: expected }, problems: [] })
  })

  test.each([
    ['128G', '125000000Ki'],
    ['4096Mi', '4Gi'],
    ['4294967296', '4Gi'],
  ])('parses memory %j like Kubernetes', (text, expected) => {
    expect(capacity({ ...SIZE, memory: text })).toMatchObject({ amounts: { memory: expected }, problems: [] })
  })

  test.each(['cpu', 'memory'] as const)('without %s there is no type', (missing) => {
    const { [missing]: _, ...rest } = SIZE
    expect(capacity(rest)).toEqual({
      amounts: undefined,
      problems: [{ reason: 'CapacityMissing', consequence: 'no-type', key: missing, found: undefined }],
    })
  })

  test.each([
    ['cpu', 'many', 'CapacityUnreadable'],
    ['cpu', '', 'CapacityUnreadable'],
    ['cpu', '0', 'CapacityOutOfRange'],
    ['cpu', '-2', 'CapacityOutOfRange'],
    ['cpu', '1 2', 'CapacityUnreadable'],
    ['cpu', '0x10', 'CapacityUnreadable'],
    ['cpu', 'NaN', 'CapacityUnreadable'],
    ['memory', '500mb', 'CapacityUnreadable'],
    ['memory', '4GiB', 'CapacityUnreadable'],
    ['memory', '4 Gi', 'CapacityUnreadable'],
    ['memory', '1e999999999', 'CapacityUnreadable'],
    ['memory', '0', 'CapacityOutOfRange'],
    ['maxPods', '0', 'CapacityOutOfRange'],
    ['maxPods', '110.5', 'CapacityOutOfRange'],
    ['maxPods', 'unlimited', 'CapacityUnreadable'],
    ['ephemeral-disk', '-1Gi', 'CapacityOutOfRange'],
    ['ephemeral-disk', '100GB', 'CapacityUnreadable'],
  ])('%s %j is a problem, and there is no type', (key, found, reason) => {
    expect(capacity({ ...SIZE, [key]: found })).toEqual({
      amounts: undefined,
      problems: [{ reason, consequence: 'no-type', key, found }],
    })
  })

  test('reports every invalid amount together', () => {
    expect(capacity({ memory: '4GB', maxPods: '-1' }).problems.map(({ key }) => key)).toEqual([
      'cpu',
      'memory',
      'maxPods',
    ])
  })

  test('a disk of 0 is a disk of 0', () => {
    expect(capacity({ ...SIZE, 'ephemeral-disk': '0' })).toMatchObject({
      amounts: { 'ephemeral-storage': '0' },
      problems: [],
    })
  })
})

describe('GPUs', () => {
  test.each([
    ['gpu-count', '2', 'gpu-type'],
    ['gpu-type', 'nvidia.com/gpu', 'gpu-count'],
  ])('%s alone: a problem, and a type without GPUs', (key, text, missing) => {
    expect(capacity({ ...SIZE, [key]: text })).toEqual({
      amounts: { cpu: '2', memory: '4Gi', pods: '110' },
      problems: [{ reason: 'GpuIncomplete', consequence: 'left-out', key: missing, found: undefined }],
    })
  })

  test.each(['gpu', '', '/gpu', 'nvidia.com/gpu/2', 'nvidia com/gpu'])('type %j: a problem, and no type', (type) => {
    expect(capacity({ ...SIZE, 'gpu-type': type, 'gpu-count': '1' })).toEqual({
      amounts: undefined,
      problems: [{ reason: 'GpuTypeInvalid', consequence: 'no-type', key: 'gpu-type', found: type }],
    })
  })

  test.each([
    ['two', 'CapacityUnreadable'],
    ['0.5', 'CapacityOutOfRange'],
    ['-1', 'CapacityOutOfRange'],
  ])('count %j: a problem, and no type', (count, reason) => {
    expect(capacity({ ...SIZE, 'gpu-type': 'nvidia.com/gpu', 'gpu-count': count })).toEqual({
      amounts: undefined,
      problems: [{ reason, consequence: 'no-type', key: 'gpu-count', found: count }],
    })
  })
})

test('a problem names the object, the annotation, the text and the remedy', () => {
  const { problems } = readCapacity(annotatedDeployment(capacityAnnotations({ memory: '500mb' })))
  expect(problems.map(describeProblem)).toEqual([
    'MachineDeployment default/small: capacity.cluster-autoscaler.kubernetes.io/cpu is missing: without it, Kerf cannot tell which pods fit on a machine; annotate the MachineDeployment with the amount of one machine, such as 4 or 3920m. Until then the deployment has no instance type.',
    'MachineDeployment default/small: capacity.cluster-autoscaler.kubernetes.io/memory is "500mb": this is not a Kubernetes quantity; write a Kubernetes quantity, such as 16Gi. Until then the deployment has no instance type.',
  ])
})
