import { describe, expect, test } from 'vitest'
import { podRequest, poolUsage, showAmount, showValue } from './amounts.ts'
import { priceLabels } from './generated/displayed-kinds.ts'
import { poolNodeClassRef, refersTo } from './node-class-kinds.ts'
import { claimCounts, claimsCost, showPrice } from './price.ts'
import { labelPrice, labelPrices } from './prices.ts'
import { claimFlags, claimSigns, claimStatus, readyStatus, signCodes } from './status.ts'
import { buildTimeline } from './timeline.ts'

const [priceLabel = ''] = priceLabels

const claim = (conditions: Record<string, string>, metadata: object = {}) => ({
  metadata: { name: 'a', ...metadata },
  status: {
    conditions: Object.entries(conditions).map(([type, status]) => ({
      type,
      status,
      reason: `${type}Reason`,
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    })),
  },
})

describe('status', () => {
  test.each([
    [{}, 'Launching'],
    [{ Launched: 'True' }, 'Registering'],
    [{ Registered: 'True', Launched: 'True' }, 'Initializing'],
    [{ Launched: 'False' }, 'Failed'],
    [{ Consolidatable: 'True', Initialized: 'True', Registered: 'True', Launched: 'True', Ready: 'True' }, 'Ready'],
    [{ Ready: 'False', Initialized: 'True', Registered: 'True', Launched: 'True' }, 'NotReady'],
  ])('of a claim with %o is %s, regardless of the order of its conditions', (conditions, code) => {
    expect(claimStatus(claim(conditions)).code).toBe(code)
    const reversed = Object.fromEntries(Object.entries(conditions).reverse())
    expect(claimStatus(claim(reversed)).code).toBe(code)
  })

  test.each([
    [{ Ready: 'True' }, 'Terminating'],
    [{ Drained: 'Unknown' }, 'Draining'],
    [{ Drained: 'True', VolumesDetached: 'False' }, 'WaitingForVolumes'],
    [{ Drained: 'True', VolumesDetached: 'True', InstanceTerminating: 'True' }, 'Terminating'],
  ])('of a deleted claim with %o is %s', (conditions, code) => {
    expect(claimStatus(claim(conditions, { deletionTimestamp: '2026-01-01T00:00:00Z' })).code).toBe(code)
  })

  const done = { Initialized: 'True', Registered: 'True', Launched: 'True', Ready: 'True' }
  test.each([
    [done, ['Ready']],
    [{ ...done, Consolidatable: 'True' }, ['Ready', 'Consolidatable']],
    [{ ...done, Consolidatable: 'True', Drifted: 'True' }, ['Drifted', 'Ready', 'Consolidatable']],
    [{ ...done, Drifted: 'True', DisruptionReason: 'True' }, ['Disrupting', 'Drifted', 'Ready']],
    [{ Launched: 'True', Drifted: 'True' }, ['Registering', 'Drifted']],
    [{ Launched: 'False', ConsistentStateFound: 'False' }, ['Failed', 'Inconsistent']],
  ])('of a claim with %o lists the most important sign first: %o', (conditions, signs) => {
    expect(claimSigns(claim(conditions)).map(({ code }) => code)).toEqual(signs)
  })

  test.each([
    {},
    { Launched: 'False' },
    { ...done, Ready: 'False' },
    { ...done, DisruptionReason: 'True' },
    { ...done, ConsistentStateFound: 'False', Consolidatable: 'True' },
  ])('a filter for drifted claims finds each of them, also with %o', (others) => {
    for (const metadata of [{}, { deletionTimestamp: '2026-01-01T00:00:00Z' }]) {
      expect(signCodes(claim({ ...others, Drifted: 'True' }, metadata))).toContain('Drifted')
      expect(signCodes(claim({ ...others, Drifted: 'False' }, metadata))).not.toContain('Drifted')
    }
  })

  test('flags show the other true conditions', () => {
    const flags = claimFlags(claim({ Drifted: 'True', Consolidatable: 'False', ConsistentStateFound: 'False' }))
    expect(flags.map(({ flag }) => flag)).toEqual(['Drifted', 'Inconsistent'])
  })

  test.each([
    [{ Ready: 'True' }, 'Ready'],
    [{ Ready: 'False' }, 'NotReady'],
    [{ Ready: 'Unknown' }, 'Pending'],
    [{}, 'Pending'],
    [{ Ready: 'True', NodeRegistrationHealthy: 'False' }, 'Unhealthy'],
  ])('of a pool with %o is %s', (conditions, code) => {
    expect(readyStatus(claim(conditions)).code).toBe(code)
  })

  test.each([undefined, null, 'text', 7, {}, { status: null }, { status: { conditions: 'x' } }, { metadata: [] }])(
    'of %o has a result, and nothing is thrown',
    (object) => {
      expect(claimStatus(object).code).toBe('Launching')
      expect(readyStatus(object).code).toBe('Pending')
      expect(claimFlags(object)).toEqual([])
      expect(buildTimeline(object, [object])).toEqual([])
      expect(poolUsage(object).map(({ share }) => share)).toEqual([undefined, undefined])
      expect(poolNodeClassRef(object)).toBeUndefined()
    },
  )
})

describe('amounts', () => {
  test('of a pool are compared with its limits, for every limited resource', () => {
    const pool = {
      spec: { limits: { cpu: 100, memory: '400Gi', 'nvidia.com/gpu': '0' } },
      status: { resources: { cpu: '6500m', memory: '100Gi', 'nvidia.com/gpu': '1' } },
    }
    expect(poolUsage(pool).map(({ resource, share }) => [resource, share])).toEqual([
      ['cpu', 0.065],
      ['memory', 0.25],
      ['nvidia.com/gpu', Number.POSITIVE_INFINITY],
    ])
  })

  test.each([
    ['cpu', '1900m', '1.9'],
    ['cpu', '1e2', '100'],
    ['memory', '4086Mi', '4 Gi'],
    ['memory', '1536Mi', '1.5 Gi'],
    ['memory', '1G', '953.7 Mi'],
    ['memory', '512', '512'],
    ['memory', 'lots', 'lots'],
    ['memory', '1e500', '1e500'],
    ['pods', 32, '32'],
    ['pods', '1980', '1,980'],
    ['cpu', undefined, ''],
  ])('%s %s is shown as %s', (resource, value, shown) => {
    expect(showValue(resource, value)).toBe(shown)
  })

  test('a pod requests the sum of its containers or its largest init container, plus its overhead', () => {
    const container = (cpu: string, more: object = {}) => ({ resources: { requests: { cpu } }, ...more })
    const pod = {
      spec: {
        initContainers: [container('100m', { restartPolicy: 'Always' }), container('2')],
        containers: [container('500m'), container('nonsense'), {}],
        overhead: { cpu: '50m' },
      },
    }
    expect(showAmount('cpu', podRequest(pod, 'cpu'))).toBe('2.15')
    expect(showAmount('cpu', podRequest({ spec: { containers: [container('500m'), container('1')] } }, 'cpu'))).toBe(
      '1.5',
    )
  })
})

describe('prices', () => {
  const priced = (price: string) => ({ metadata: { labels: { [priceLabel]: price } } })
  test('come from the label, and an unknown price is not 0', () => {
    expect(labelPrice(priced('0.038006'))).toBe(0.038006)
    expect(labelPrice(priced('-1'))).toBeUndefined()
    expect(labelPrice({})).toBeUndefined()
    expect([showPrice(0.038006), showPrice(1.755), showPrice(0)]).toEqual(['$0.0380', '$1.75', '$0.00'])
  })

  test('count instances: a draining claim has a cost, and a claim that was never launched has none', () => {
    const of = (name: string, price: string, status: object, metadata: object = {}) => ({
      metadata: { ...priced(price).metadata, name, ...metadata },
      status,
    })
    const claims = [
      of('a', '0.5', { providerID: 'a' }),
      of('b', '1.25', { providerID: 'b' }, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      of('c', '?', { providerID: 'c' }),
      of('d', '9', {}),
    ]
    expect(claimsCost(claims, labelPrices)).toEqual({ total: 1.75, instances: 3, unknown: 1 })
    expect(claimCounts(claims)).toEqual({ claims: 4, launched: 3, nodes: 0, draining: 1 })
    expect(claimsCost([of('d', '9', {})], labelPrices)).toEqual({ total: 0, instances: 0, unknown: 0 })
    const odd = [
      { providerID: 'x', conditions: 'none' },
      { providerID: 'y', conditions: [null, 3] },
      { conditions: {} },
    ]
    expect(claimCounts(odd.map((status, place) => of(`odd-${place}`, '1', status))).launched).toBe(2)
  })
})

describe('a timeline', () => {
  const event = (reason: string, time: string, more: object = {}) => ({
    reason,
    message: `${reason}!`,
    type: 'Normal',
    lastTimestamp: time,
    ...more,
  })
  test('merges creation, conditions and events, newest first, without duplicates', () => {
    const object = claim({ Launched: 'True', Drifted: 'Unknown' }, { creationTimestamp: '2025-12-31T23:59:59Z' })
    const entries = buildTimeline(object, [
      event('Unconsolidatable', '2026-01-01T00:05:00Z', { count: 3 }),
      event('Unconsolidatable', '2026-01-01T00:09:00Z'),
      event('FailedDraining', '2026-01-01T00:07:00Z', { type: 'Warning' }),
      event('Launched', '2026-01-01T00:00:00Z', { message: 'Status condition transitioned, Type: Launched' }),
      event('New', 'never', { lastTimestamp: null, eventTime: '2026-01-01T00:08:00.000001Z' }),
      { reason: 'WithoutTime' },
    ])
    expect(entries.map(({ what, count, isWarning }) => [what, count, isWarning])).toEqual([
      ['Unconsolidatable', 4, false],
      ['New', 1, false],
      ['FailedDraining', 1, true],
      ['Launched: True', 1, false],
      ['Created', 1, false],
    ])
  })
})

describe('links to node classes', () => {
  test('use group, kind and name, from a pool’s template or from a claim', () => {
    const ref = { group: 'karpenter.example.com', kind: 'HouseNodeClass', name: 'default' }
    const pool = { spec: { template: { spec: { nodeClassRef: ref } } } }
    expect(poolNodeClassRef(pool)).toEqual(ref)
    expect(poolNodeClassRef({ spec: { nodeClassRef: ref } })).toEqual(ref)
    expect(refersTo(pool, 'karpenter.example.com', 'HouseNodeClass', 'default')).toBe(true)
    expect(refersTo(pool, 'example.com', 'HouseNodeClass', 'default')).toBe(false)
  })
})
