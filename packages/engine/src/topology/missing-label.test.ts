import { awayFrom, inAnyTerm, near, running, spreadOver } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { cluster, instanceType, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'

/** This file tests `docs/spec/scheduling.md#anti-affinity`: a node without the label has no domain to avoid. */

const TYPO = 'failure-domain.kubernetes.io/hostname'
const RACK = 'example.com/rack'
const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })
const racked = (name: string, rack: string, cpu = '4') =>
  node(name, {
    labels: { [RACK]: rack },
    cpu,
    pods: [running(name, pod(`${name}-web`, { labels: { app: 'web' }, cpu }))],
  })
const pools = cluster().pool('general')

describe('a key that no node has', () => {
  test('pods with the term share a new node', () => {
    expect(pools.schedule(replicas(3, 'web', { cpu: '100m', spec: awayFrom(TYPO, 'web') })).sizes).toEqual([3])
  })

  test('a running pod with the term excludes no pod from new nodes or from its own node', () => {
    const old = running('n', pod('web-old', { labels: { app: 'web' }, spec: awayFrom(TYPO, 'web') }))
    const successor = pod('web-new', { labels: { app: 'web' } })
    expect(pools.nodes(node('n', { cpu: '500m', pods: [old] })).schedule(successor).sizes).toEqual([1])
    expect(pools.nodes(node('n', { pods: [old] })).schedule(successor).placements).toEqual({ n: ['web-new'] })
  })

  test('terms with other keys still apply', () => {
    const both = {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [TYPO, ZONE].map((topologyKey) => ({
            topologyKey,
            labelSelector: { matchLabels: { app: 'web' } },
          })),
        },
      },
    }
    expect(pools.schedule(replicas(4, 'web', { cpu: '100m', spec: both })).sizes).toEqual([1, 1, 1])
  })

  test.each([
    ['affinity', near(TYPO, 'web')],
    ['spread', spreadOver(TYPO, 'web')],
  ] as const)('%s needs the label', (_, spec) => {
    expect(pools.nodes(node('n')).schedule(pod('web', { spec })).failed).toEqual(['web'])
  })
})

describe('a key that some nodes have', () => {
  const web = (name: string, cpu = '500m') => pod(name, { labels: { app: 'web' }, cpu, spec: awayFrom(RACK, 'web') })

  test('a new node without it takes the pods that the labelled nodes refuse', () => {
    expect(pools.nodes(racked('n', 'r1')).schedule(web('web-1'), web('web-2')).sizes).toEqual([2])
  })

  test('an existing node without it takes them as well', () => {
    expect(
      cluster()
        .nodes(racked('n', 'r1', '1'), node('plain'))
        .schedule(web('web-1'), web('web-2')).placements,
    ).toEqual({ plain: ['web-1', 'web-2'] })
  })

  test('a pod on a new node without it does not exclude any pod from a rack', () => {
    const free = node('free', { labels: { [RACK]: 'r2' }, cpu: '1' })
    // The large pod is placed first and needs a new node.
    const outcome = pools.nodes(free).schedule(web('large', '3'), web('small'))
    expect(outcome.sizes).toEqual([1])
    expect(outcome.placements).toEqual({ free: ['small'] })
  })

  test('a pool with the label takes one pod per value, and a pool without it takes the rest', () => {
    const labelled = cluster().pool('racked', { weight: 10, requirements: [isIn(RACK, 'r1', 'r2')] })
    const pods = [web('web-1'), web('web-2'), web('web-3'), web('web-4')]
    expect(labelled.schedule(pods).failed).toEqual(['web-3', 'web-4'])
    const improved = labelled.pool('plain').set({ planBudget: 500_000 }).schedule(pods)
    expect(improved.failed).toEqual([])
    expect(improved.plan.claims.map(({ nodePool, pods: own }) => [nodePool, own.length]).sort()).toEqual([
      ['plain', 2],
      ['racked', 1],
      ['racked', 1],
    ])
  })

  const BUILD = 'node.kubernetes.io/windows-build'

  test.each([
    [
      'a label of the nodes',
      BUILD,
      [
        ['fast', 1],
        ['plain', 2],
      ],
    ],
    ['one that no pod may ask for', RACK, [['plain', 3]]],
  ] as const)('instance types of the same pool without %s do the same', (_, key, expected) => {
    const [fast, plain] = [instanceType('fast', 4, '16Gi', 0.1), instanceType('plain', 4, '16Gi', 0.2)]
    const types = [
      { ...fast, requirements: [...fast.requirements, isIn(key, 'r1')] },
      { ...plain, requirements: [...plain.requirements, { key, operator: 'DoesNotExist' as const }] },
    ]
    const pods = replicas(3, 'web', { spec: awayFrom(key, 'web') })
    const outcome = cluster().pool('mixed', { types }).schedule(pods)
    expect(outcome.failed).toEqual([])
    expect(outcome.plan.claims.map(({ instanceTypes, pods: own }) => [instanceTypes[0], own.length])).toEqual(expected)
  })

  test('a pod that must not have the label gets a node without it', () => {
    const notR1 = inAnyTerm([{ key: RACK, operator: 'NotIn', values: ['r1'] }])
    const { affinity } = notR1
    const spec = { affinity: { ...affinity, ...awayFrom(RACK, 'web').affinity } }
    const outcome = pools.nodes(racked('n', 'r1'), racked('o', 'r2')).schedule(pod('web', { spec }))
    expect(outcome.failed).toEqual([])
  })
})
