import { describe, expect, test } from 'vitest'
import { cluster, instanceType, pod, ZONE } from '../testing/cluster-builders.ts'

const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

describe('cached data', () => {
  const types = [instanceType('m-2', 2, '8Gi'), instanceType('m-8', 8, '32Gi')]
  const pool = (zone: string) => cluster().pool('general', { types, requirements: [isIn(ZONE, zone)] })
  const poolZone = (pools: ReturnType<typeof pool>) => pools.schedule(pod('a')).plan.claims[0]?.cheapest.zone

  test('if a pool’s status changes, the cached data is used; if its spec changes, the pool is read again', () => {
    const [first] = pool('zone-1').snapshot.pools
    const [other] = pool('zone-2').snapshot.pools
    if (first === undefined || other === undefined) throw new Error('no pool')
    const at = (option: typeof first) => poolZone(cluster().with({ pools: [option] }))
    expect(at(first)).toBe('zone-1')
    expect(at({ ...first, nodePool: { ...first.nodePool, status: { resources: { cpu: '2' } } } })).toBe('zone-1')
    expect(at({ ...first, nodePool: other.nodePool })).toBe('zone-2')
    expect(at(first)).toBe('zone-1')
  })

  test('pools that share a catalogue keep their own labels, taints and daemons', () => {
    const taint = { key: 'only', value: 'b', effect: 'NoSchedule' as const }
    const pools = cluster()
      .pool('a', { types, labels: { team: 'a' } })
      .pool('b', { types, labels: { team: 'b' }, taints: [taint] })
    const wanting = (team: string) =>
      pod(team, { spec: { nodeSelector: { team }, tolerations: [{ key: 'only', operator: 'Exists' }] } })
    const { plan } = pools.schedule(wanting('a'), wanting('b'))
    expect(plan.claims.map(({ nodePool, labels }) => [nodePool, labels['team']]).sort()).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ])
  })

  test('another catalogue or another unit of memory does not use the cached data', () => {
    const small = pool('zone-1')
    expect(small.schedule(pod('a', { memory: '1Gi' })).failed).toEqual([])
    expect(small.schedule(pod('a', { memory: '1000001' })).failed).toEqual([])
    expect(small.schedule(pod('a', { memory: '33Gi' })).failed).toEqual(['a'])
  })
})
