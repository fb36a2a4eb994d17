import type { Pod, ResourceClaim } from '@kerf/apis'
import { type Plan, reasonSentence } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { indexSnapshot } from '../../../packages/engine/src/testing/core-labels.ts'
import { claim, claiming, DRIVER, device, devices, deviceType, GPU, onNode, request, slice } from './devices.ts'
import { type Harness, harness } from './harness.ts'
import { type } from './instance-types.ts'
import { pod, running } from './objects.ts'

// Simulations for disruption (`docs/spec/disruption.md#scheduling-simulation`): where would the pods run without these nodes?

const plain = type('plain', { price: 0.1 })
const one = deviceType('one', devices(1), { price: 1 })
const two = deviceType('two', devices(2), { price: 1.5 })

/** Returns a ResourceClaim that is allocated a device of a node and reserved for a pod. */
const held = (name: string, node: string, index = 0, ...others: readonly string[]): ResourceClaim =>
  claim(name, [request('gpu')], { holds: [`${DRIVER}/${node}/gpu-${index}`], at: onNode(node), for: [name, ...others] })

const on = (node: string, ...names: readonly string[]): readonly Pod[] =>
  names.map((name) => running(pod(name, claiming(name)), node))

const without = (of: Harness, moving: readonly Pod[], ...gone: readonly string[]): Plan =>
  indexSnapshot(of.snapshot, [], [moving], { ignoreDraRequests: false }).whatIf(gone)

const planTypes = (plan: Plan): readonly (readonly string[])[] => plan.claims.map(({ instanceTypes }) => instanceTypes)

describe('the pods of nodes with devices, if the nodes are removed', () => {
  test('the claim of a moving pod is allocated again, on a node that has its device', () => {
    const moving = on('n', 'a')
    const of = harness()
      .only({ types: [plain, one] })
      .node('n', { pods: moving })
      .devices({
        deviceClasses: [GPU],
        resourceClaims: [held('a', 'n')],
        resourceSlices: [slice(devices(1), { node: 'n' })],
      })
    expect(planTypes(without(of, moving, 'n'))).toEqual([['one']])
    // A simulation does not change the result of the next one. Removing another node at the same time does not change it either.
    const index = indexSnapshot(of.node('empty').snapshot, [], [moving], { ignoreDraRequests: false })
    expect([index.whatIf([]).claims, index.whatIf(['empty']).claims]).toEqual([[], []])
    expect(planTypes(index.whatIf(['n', 'empty']))).toEqual([['one']])
    expect(planTypes(index.whatIf(['n']))).toEqual([['one']])
  })

  test('devices that the removed node has published are not available', () => {
    const moving = on('n', 'a')
    const of = harness()
      .only({ types: [plain] })
      .node('n', { pods: moving })
      .devices({
        deviceClasses: [GPU],
        resourceClaims: [held('a', 'n')],
        resourceSlices: [slice(devices(4), { node: 'n' })],
      })
    const plan = without(of, moving, 'n')
    expect(plan.unschedulable.map(({ pod: each }) => each.metadata.name)).toEqual(['a'])
    expect(plan.unschedulable.flatMap(({ reasons }) => reasons.map(reasonSentence)).join()).toContain('none matches')
  })

  test('a free device of another node is used, unless a pod on that node has allocated it', () => {
    const moving = on('n', 'a')
    const staying = on('m', 'b')
    const cluster = (...claims: readonly ResourceClaim[]) =>
      harness()
        .only({ types: [plain] })
        .node('n', { pods: moving })
        .node('m', { pods: staying })
        .devices({
          deviceClasses: [GPU],
          resourceClaims: [held('a', 'n'), ...claims],
          resourceSlices: [slice(devices(1), { node: 'n' }), slice(devices(1), { node: 'm' })],
        })
    expect(without(cluster(claim('b')), moving, 'n').placements.map(({ node }) => node)).toEqual(['m'])
    expect(without(cluster(held('b', 'm')), moving, 'n').unschedulable).toHaveLength(1)
  })

  test('a claim that a pod on another node also uses is not released', () => {
    const moving = on('n', 'a')
    const of = harness()
      .only({ types: [one] })
      .node('n', { pods: moving })
      .node('m', { pods: [running(pod('other', claiming('a')), 'm')] })
      .devices({
        deviceClasses: [GPU],
        resourceClaims: [held('a', 'n', 0, 'other')],
        resourceSlices: [slice(devices(1), { node: 'n' })],
      })
    expect(without(of, moving, 'n').unschedulable).toHaveLength(1)
  })

  test('a claim that pods of two nodes share is released only if both nodes are removed', () => {
    const [a, b] = [on('n', 'a'), [running(pod('b', claiming('a')), 'm')]]
    const of = harness()
      .only({ types: [one] })
      .node('n', { pods: a })
      .node('m', { pods: b })
      .devices({
        deviceClasses: [GPU],
        resourceClaims: [held('a', 'n', 0, 'b')],
        resourceSlices: [slice(devices(1), { node: 'n' })],
      })
    const index = indexSnapshot(of.snapshot, [], [a, b], { ignoreDraRequests: false })
    const both = index.whatIf(['n', 'm'])
    expect([both.unschedulable.length, both.claims.map(({ pods }) => pods.length)]).toEqual([0, [2]])
    expect(index.whatIf(['n']).unschedulable).toHaveLength(1)
    expect(index.whatIf(['m']).placements.map(({ node }) => node)).toEqual(['n'])
  })

  test('pods of several nodes share one node that has devices for all of them', () => {
    const [a, b] = [on('n', 'a'), on('m', 'b')]
    const of = harness()
      .only({ types: [one, two] })
      .node('n', { pods: a })
      .node('m', { pods: b })
      .devices({
        deviceClasses: [GPU],
        resourceClaims: [held('a', 'n'), held('b', 'm')],
        resourceSlices: [slice(devices(1), { node: 'n' }), slice(devices(1), { node: 'm' })],
      })
    expect(planTypes(without(of, [...a, ...b], 'n', 'm'))).toEqual([['two']])
  })

  test('for a shared device, only the moving pods’ share is released', () => {
    const moving = on('n', 'a')
    const share = (name: string, memory: string) =>
      claim(name, [request('gpu', { capacity: { memory } })], {
        holds: [`${DRIVER}/network/gpu-0`],
        consumed: { memory },
        for: [name],
      })
    const cluster = (others: string) =>
      harness()
        .only({ types: [plain] })
        .node('n', { pods: moving })
        .node('m', { pods: on('m', 'b') })
        .devices({
          deviceClasses: [GPU],
          resourceClaims: [share('a', '6Gi'), share('b', others)],
          resourceSlices: [slice([device('gpu-0', { shared: true, capacity: { memory: '10Gi' } })])],
        })
    expect(without(cluster('4Gi'), moving, 'n').unschedulable).toEqual([])
    expect(without(cluster('5Gi'), moving, 'n').unschedulable).toHaveLength(1)
  })
})
