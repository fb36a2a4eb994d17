import { capacityTypes, labels } from '@kerf/apis'
import { LabelRules } from '@kerf/engine'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

/** With fewer instance types than this, single-node consolidation skips spot nodes (`docs/spec/disruption.md`). */
const FEW_TYPES = 15

export const pool006: Check = {
  id: 'POOL-006',
  group: 'pools',
  severity: 'warning',
  title: 'Spot NodePools with few instance types or one zone',
  why: 'Spot capacity varies by type and zone. The fewer of both a NodePool allows, the more interruptions and failed launches it has.',
  reads: ['NodePool'],
  examine({ nodePools, typesOf, vocabulary }) {
    const rules = new LabelRules(vocabulary)
    const known = nodePools.flatMap((pool) => {
      const types = typesOf(pool)
      return types === undefined ? [] : [{ pool, types }]
    })
    if (known.length === 0 && nodePools.length > 0)
      return undecided('the instance types of no NodePool are known; see --instance-types')
    const narrow = known.flatMap(({ pool, types }) => {
      const wanted = rules.requirements(pool.spec.template.spec.requirements ?? [])
      const offered = types.flatMap((type) => {
        const ofType = rules.requirements(type.requirements)
        return type.offerings
          .map((offering) => ofType.merge(rules.requirements(offering.requirements)))
          .filter((offering) => offering.intersects(wanted))
          .map((offering) => ({ name: type.name, offering }))
      })
      const spot = offered.filter(({ offering }) => offering.get(labels.capacityType).has(capacityTypes.spot))
      if (spot.length === 0) return []
      const names = new Set(spot.map(({ name }) => name))
      const zones = new Set(spot.map(({ offering }) => offering.get(labels.zone).identity))
      return names.size >= FEW_TYPES && zones.size > 1
        ? []
        : [{ pool, text: `${names.size} instance types in ${zones.size === 1 ? 'one zone' : `${zones.size} zones`}` }]
    })
    return foundAny(
      narrow.map(({ pool }) => objectName(pool)),
      {
        seen: narrow.map(({ pool, text }) => `${objectName(pool)} has spot capacity of ${text}`).join('; '),
        remedy: `widen the requirements: use categories and generations instead of types, and all zones; allow at least ${FEW_TYPES} types`,
      },
      'each NodePool with spot capacity has many instance types and several zones',
    )
  },
}
