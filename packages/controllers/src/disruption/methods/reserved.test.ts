import { labels, type NodeClaim } from '@kerf/apis'
import type { InstanceType, Offering } from '@kerf/engine'
import { nodeClassRef } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { MIDDLE } from '../../testing/closed-pools.ts'
import {
  alteredProvider,
  createDisruptablePool,
  createPodOn,
  type HarnessOptions,
  launchNode,
  patchPool,
} from '../../testing/harness/index.ts'
import { harnessPerTest, PASS } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()
const RESERVED_PRICE = 0.0001
const ZONE = 'test-zone-a'

const RESERVATION = 'example.com/reservation'

const inList = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values: [...values] })

const withReservation = (type: InstanceType): InstanceType => {
  const reserved: Offering = {
    requirements: [inList(labels.capacityType, 'reserved'), inList(labels.zone, ZONE), inList(RESERVATION, 'r-1')],
    price: RESERVED_PRICE,
    available: true,
    reservationCapacity: 5,
  }
  const requirements = type.requirements.map((requirement) =>
    requirement.key === labels.capacityType
      ? inList(labels.capacityType, 'reserved', 'spot', 'on-demand')
      : requirement,
  )
  return {
    ...type,
    requirements: [...requirements, inList(RESERVATION, 'r-1')],
    offerings: [...type.offerings, reserved],
  }
}

/** Returns the kwok provider with five reserved instances of the middle instance type. Records the claims that it launches. */
const reservedProvider =
  (asked: NodeClaim[]): NonNullable<HarnessOptions['provider']> =>
  (kwok) => {
    const lists = new WeakMap<readonly InstanceType[], readonly InstanceType[]>()
    return alteredProvider(kwok, {
      vocabulary: kwok.vocabulary.withWellKnown([RESERVATION]),
      reservationIdLabel: RESERVATION,
      create: (claim, signal) => {
        asked.push(claim)
        return kwok.create(claim, signal)
      },
      instanceTypes: async (pool, signal) => {
        const list = await kwok.instanceTypes(pool, signal)
        const known = lists.get(list)
        if (known !== undefined) return known
        const made = list.map((type) => (type.name === MIDDLE ? withReservation(type) : type))
        lists.set(list, made)
        return made
      },
    })
  }

describe('reserved capacity', () => {
  test.each(['on-demand', 'spot'] as const)(
    'a node on %s moves to a reservation, which is cheaper',
    async (capacityType) => {
      const asked: NodeClaim[] = []
      const w = await start({ provider: reservedProvider(asked) })
      await createDisruptablePool(
        w,
        'general',
        { disruption: { consolidateAfter: 'Never' } },
        {
          spec: {
            nodeClassRef,
            expireAfter: 'Never',
            requirements: [
              inList(labels.instanceType, MIDDLE),
              inList(labels.capacityType, 'reserved', 'spot', 'on-demand'),
              inList(labels.zone, ZONE),
            ],
          },
        },
      )
      const made = await launchNode(w, { capacityType, zone: ZONE })
      await createPodOn(w, 'busy', made.node, { cpu: '3' })
      await w.pass(500)
      await patchPool(w, 'general', { spec: { disruption: { consolidateAfter: '0s' } } })
      await w.pass(12_000)
      const found = await w.kerf.explainNode(made.node, new AbortController().signal)
      const single = found?.methods.find(({ method }) => method === 'single-node')
      expect(single?.move?.savings).toBeCloseTo((found?.price ?? 0) - RESERVED_PRICE, 6)
      await w.pass(PASS)
      const replacement = asked.find(({ metadata }) => metadata.name !== made.claim)
      const of = (wanted: string) => replacement?.spec.requirements.find(({ key }) => key === wanted)?.values
      expect([of(labels.capacityType), of(RESERVATION)]).toEqual([['reserved'], ['r-1']])
    },
  )
})
