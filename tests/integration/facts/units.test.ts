import type { Container, Pod, PodSpec } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { harness, podRequest } from './harness.ts'
import { amounts, type, zone1, zones } from './instance-types.ts'
import { daemon, is, pod, taint } from './objects.ts'

describe('Units: host ports conflict by port, protocol and address', () => {
  const own = { hostPort: 8080, hostIP: '10.0.0.1' }
  test.each([
    ['the same', own, own, true],
    ['another port', own, { ...own, hostPort: 8081 }, false],
    ['another protocol', own, { ...own, protocol: 'UDP' as const }, false],
    ['another address', own, { ...own, hostIP: '10.0.0.2' }, false],
    ['any IPv4 address', own, { ...own, hostIP: '0.0.0.0' }, true],
    ['any IPv6 address', own, { ...own, hostIP: '::' }, true],
    ['no address is any', own, { hostPort: 8080 }, true],
  ])('%s', (_, a, b, clash) => {
    const plan = harness()
      .node('here', { pods: [pod('first', { ports: [a] })] })
      .pod('second', { ports: [b] })
      .plan()
    expect(plan.placeOf('second')).toBe(clash ? 'claim 0' : 'here')
  })
})

test('Units: huge pages reduce memory, which never becomes negative', () => {
  const machine = (hugepages: string) => [type('m', { more: { 'hugepages-2Mi': hugepages } })]
  const fits = (hugepages: string, memory: string) =>
    harness()
      .only({ types: machine(hugepages) })
      .pod('a', { memory })
      .plan().left.length === 0
  expect(fits('0', '4086Mi')).toBe(true)
  expect(fits('1Gi', '3062Mi')).toBe(true)
  expect(fits('1Gi', '3063Mi')).toBe(false)
  expect(fits('100Gi', '0')).toBe(true)
  expect(fits('100Gi', '1')).toBe(false)
})

test('Units: offerings with overrides have separate allocatable amounts', () => {
  const types = [
    type('m', {
      offerings: [
        { zone: zones[0], price: 1 },
        { zone: zones[1], price: 2, capacityOverride: { cpu: '8' } },
        { zone: zones[2], price: 3, overheadOverride: { kubeReserved: amounts({ cpu: '3' }) } },
      ],
    }),
  ]
  const at = (zone: string, cpu: string) =>
    harness()
      .only({ types })
      .pod('a', { cpu, selector: { 'topology.kubernetes.io/zone': zone } })
      .plan().left
  expect([at(zones[0], '3900m'), at(zones[0], '3901m')]).toEqual([[], ['a']])
  expect([at(zones[1], '7900m'), at(zones[1], '7901m')]).toEqual([[], ['a']])
  expect([at(zones[2], '1'), at(zones[2], '1001m')]).toEqual([[], ['a']])
})

test('Units: pools are ordered by weight, then by name in descending order', () => {
  const names = (...weights: readonly (readonly [string, number | undefined])[]) => {
    let cluster = harness()
    for (const [name, weight] of weights) cluster = cluster.pool(name, weight === undefined ? {} : { weight })
    return cluster.pod('a').plan().claim.nodePool
  }
  expect(names(['a', 1], ['b', 10], ['c', 5])).toBe('b')
  expect(names(['a', 5], ['b', 5])).toBe('b')
  expect(names(['a', 1], ['b', undefined])).toBe('a')
})

const container = (name: string, requests: Readonly<Record<string, string>>): Container => ({
  name,
  resources: { requests },
})
const sidecar = (name: string, requests: Readonly<Record<string, string>>): Container => ({
  ...container(name, requests),
  restartPolicy: 'Always',
})
const of = (spec: Partial<PodSpec>, status: Pod['status'] = {}): Pod => pod('p', { spec, status })

describe('Units: requests of a pod', () => {
  const main = [container('a', { cpu: '1', memory: '1Gi' }), container('b', { cpu: '1', memory: '1Gi' })]
  const cpu = (init: readonly Container[], more: Partial<PodSpec> = {}) =>
    podRequest(of({ containers: main, initContainers: init, ...more }), 'cpu')
  test('containers and sidecars add up', () => {
    expect(cpu([])).toBe(2)
    expect(cpu([sidecar('s', { cpu: '1' })])).toBe(3)
    expect(cpu([sidecar('s', { cpu: '1' }), sidecar('t', { cpu: '2' })])).toBe(5)
  })
  test('init containers run one at a time before the containers, and the overhead is added', () => {
    expect(cpu([container('i', { cpu: '1' })])).toBe(2)
    expect(cpu([container('i', { cpu: '5' })])).toBe(5)
    expect(cpu([container('i', { cpu: '5' }), container('j', { cpu: '4' })])).toBe(5)
    expect(cpu([container('i', { cpu: '5' }), sidecar('s', { cpu: '1' })], { overhead: { cpu: '1' } })).toBe(6)
  })
  test('an init container after a sidecar runs together with it; an init container before it does not', () => {
    expect(cpu([sidecar('s', { cpu: '3' }), container('i', { cpu: '4' })])).toBe(7)
    expect(cpu([sidecar('s', { cpu: '3' }), container('i', { cpu: '1' })])).toBe(5)
    expect(cpu([container('i', { cpu: '4' }), sidecar('s', { cpu: '3' })])).toBe(5)
    expect(cpu([container('i', { cpu: '20' }), sidecar('s', { cpu: '3' }), container('j', { cpu: '4' })])).toBe(20)
  })
  test('in any order of init containers and sidecars', () => {
    const mixed = [
      container('i', { cpu: '2' }),
      sidecar('s', { cpu: '1' }),
      container('j', { cpu: '3' }),
      sidecar('t', { cpu: '2' }),
      container('k', { cpu: '5' }),
    ]
    expect(cpu(mixed)).toBe(8)
  })
  test.each([
    ['cpu of init, memory of main', { cpu: '9', memory: '1Mi' }, [9, 2 * 2 ** 30]],
    ['memory of init, cpu of main', { cpu: '1m', memory: '9Gi' }, [2, 9 * 2 ** 30]],
    ['both of init', { cpu: '9', memory: '9Gi' }, [9, 9 * 2 ** 30]],
    ['both of main', { cpu: '1', memory: '1Gi' }, [2, 2 * 2 ** 30]],
  ])('each resource is computed separately: %s', (_, init, expected) => {
    const both = of({ containers: main, initContainers: [container('i', init)] })
    expect([podRequest(both, 'cpu'), podRequest(both, 'memory')]).toEqual(expected)
  })
  test('pod-level requests replace cpu, memory and huge pages of the containers', () => {
    const whole = of({ containers: main, resources: { requests: { cpu: '7' }, limits: { cpu: '8' } } })
    expect([podRequest(whole, 'cpu'), podRequest(whole, 'memory')]).toEqual([7, 2 * 2 ** 30])
    expect(podRequest(of({ containers: main, resources: { requests: { cpu: '1' } } }), 'cpu')).toBe(1)
  })
})

describe('Units: requests while a pod is resized', () => {
  const resized = (spec: string, allocated: string | undefined) =>
    podRequest(
      of(
        { containers: [container('a', { cpu: spec })] },
        allocated === undefined
          ? {}
          : {
              containerStatuses: [
                { name: 'a', resources: { requests: { cpu: allocated } }, allocatedResources: { cpu: allocated } },
              ],
            },
      ),
      'cpu',
    )
  test('allocated amounts count while it shrinks', () => expect(resized('1', '2')).toBe(2))
  test('requested amounts count while it grows', () => expect(resized('3', '2')).toBe(3))
  test('without a status the requested amounts count', () => expect(resized('3', undefined)).toBe(3))
})

describe('Units: the maximum and the minimum of lists of resources', () => {
  test('the maximum keeps resources that only one list has', () => {
    const both = of({
      containers: [container('a', { cpu: '1', 'example.com/x': '1' })],
      initContainers: [container('i', { cpu: '2', 'example.com/y': '1' })],
    })
    expect(['cpu', 'example.com/x', 'example.com/y'].map((name) => podRequest(both, name))).toEqual([2, 1, 1])
    expect(podRequest(of({ containers: [] }), 'cpu')).toBe(0)
  })
  test('the minimum drops them', () => {
    const { claim } = harness()
      .only({ types: [type('small', { cpu: '2' }), type('large', { cpu: '8', memory: '16Gi' })] })
      .daemons(
        daemon('everywhere', { cpu: '100m' }),
        daemon('on-large', { memory: '1Gi', needs: [is('size', 'In', 'large')] }),
      )
      .pod('a', { cpu: '1' })
      .plan()
    expect(claim.spec.resources?.requests).toEqual({ cpu: '1100m', pods: '2' })
    const onLarge = daemon('on-large', { cpu: '1', needs: [is('size', 'In', 'large')] })
    const none = harness()
      .only({ types: [type('large', { cpu: '8', memory: '16Gi' }), type('small', { cpu: '2' })] })
      .daemons(onLarge)
      .pod('a', { cpu: '1' })
      .plan()
    expect(none.claim.spec.resources?.requests).toEqual({ cpu: '1', pods: '1' })
  })
})

test('Units: the taints of a pool are those of its template', () => {
  const plan = harness()
    .only({ taints: [taint('team')] })
    .pod('a', { tolerations: [{ key: 'team', operator: 'Exists' }] })
    .pod('b')
    .plan()
  expect([plan.left, plan.zoneOf('a')]).toEqual([['b'], zone1])
})
