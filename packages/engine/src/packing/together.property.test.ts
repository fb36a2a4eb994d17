import { inAnyTerm, near, propertyRuns, running } from '@kerf/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cluster, node, pod, ZONE } from '../testing/cluster-builders.ts'

/** This file compares `docs/spec/scheduling.md#pods-that-must-be-together` with every possible placement of a few pods. */

const ZONES = ['zone-1', 'zone-2', 'zone-3'] as const
type Zone = (typeof ZONES)[number]

/** For each app, the app that its pods must be near. There are two groups with affinity to themselves, a leader, and followers. */
const FOLLOWS: Readonly<Record<string, string | undefined>> = { g: 'g', h: 'h', l: undefined, f: 'l', e: 'f', k: 'g' }

interface Member {
  readonly app: string
  readonly zones: readonly Zone[]
  readonly cpu: string
}

const someZones = fc.uniqueArray(fc.constantFrom(...ZONES), { minLength: 1, maxLength: 3 })
const member: fc.Arbitrary<Member> = fc.record({
  app: fc.constantFrom(...Object.keys(FOLLOWS)),
  zones: fc.oneof({ weight: 2, arbitrary: fc.constant([...ZONES]) }, { weight: 3, arbitrary: someZones }),
  cpu: fc.constantFrom('100m', '500m', '1'),
})
const settled = fc.uniqueArray(fc.tuple(fc.constantFrom('g', 'l', 'f'), fc.constantFrom(...ZONES)), { maxLength: 2 })

/** Returns the largest number of pods that kube-scheduler can bind, in any order, if every place that needs a node gets one. */
const mostPlaced = (members: readonly Member[], others: readonly (readonly [app: string, zone: Zone])[]): number => {
  const seen = new Set<string>()
  let most = 0
  const visit = (places: readonly (Zone | undefined)[]): void => {
    const text = places.join()
    if (seen.has(text)) return
    seen.add(text)
    most = Math.max(most, places.filter((zone) => zone !== undefined).length)
    const standing = [
      ...others,
      ...places.flatMap((zone, i) => (zone === undefined ? [] : [[members[i]?.app, zone] as const])),
    ]
    for (const [i, { app, zones }] of members.entries()) {
      if (places[i] !== undefined) continue
      const wanted = FOLLOWS[app]
      const targets = standing.filter(([other]) => other === wanted).map(([, zone]) => zone)
      for (const zone of zones) {
        const isFirst = targets.length === 0 && wanted === app
        if (wanted === undefined || isFirst || targets.includes(zone)) visit(places.with(i, zone))
      }
    }
  }
  visit(members.map(() => undefined))
  return most
}

test('places as many pods that must be together as the best placement', () => {
  fc.assert(
    fc.property(fc.array(member, { minLength: 2, maxLength: 5 }), settled, (members, others) => {
      const pods = members.map(({ app, zones, cpu }, i) => {
        const follows = FOLLOWS[app]
        const { affinity } = inAnyTerm(...zones.map((zone) => [{ key: ZONE, operator: 'In' as const, values: [zone] }]))
        const together = follows === undefined ? {} : near(ZONE, follows).affinity
        return pod(`${app}-${i}`, { labels: { app }, cpu, spec: { affinity: { ...affinity, ...together } } })
      })
      const nodes = others.map(([app, zone], i) =>
        node(`n-${i}`, { zone, cpu: '500m', pods: [running(`n-${i}`, pod(`${app}-old-${i}`, { labels: { app } }))] }),
      )
      const { plan } = cluster()
        .pool('general')
        .nodes(...nodes)
        .schedule(pods)
      expect(pods.length - plan.unschedulable.length).toBe(mostPlaced(members, others))
    }),
    { numRuns: propertyRuns(300) },
  )
})
