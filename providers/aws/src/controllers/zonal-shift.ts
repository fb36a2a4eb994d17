import { karpenterKinds, labels, type NodePool } from '@kerf/apis'
import { admitsValue } from '@kerf/provider-contract'
import { type Controller, retryAfter, source } from '@kerf/runtime'
import type { AwsDeps } from '../aws-deps.ts'
import { awsEvents } from '../aws-events.ts'
import { zoneNames } from '../discovery/zonal-shifts.ts'
import { ZONE_ID_LABEL } from '../label-names.ts'
import { type EC2NodeClass, ec2NodeClassKind } from '../node-class/ec2-node-class.ts'

const EVERY = 30_000

/** Returns true if the NodePool allows nodes in the zone. */
const reaches = ({ spec }: NodePool, zone: string, id: string): boolean =>
  (spec.template.spec.requirements ?? []).every((requirement) => {
    if (requirement.key === labels.zone) return admitsValue(requirement, zone)
    return requirement.key !== ZONE_ID_LABEL || admitsValue(requirement, id)
  })

/**
 * Every 30 seconds, reads the zones from which traffic has been shifted away. Publishes events on the NodePools that allow these
 * zones (`providers/aws/docs/spec/aws.md#zonal-shift`, `providers/aws/docs/spec/aws-controllers.md#other-controllers`).
 */
export const zonalShift = ({ context, zonalShifts }: AwsDeps): Controller => {
  const pools = context.informers.of(karpenterKinds.NodePool)
  const classes = context.informers.of(ec2NodeClassKind)
  let published: ReadonlySet<string> = new Set()

  const publish = (id: string, isShifted: boolean): void => {
    for (const pool of pools.values()) {
      const { name } = pool.spec.template.spec.nodeClassRef
      const nodeClass: EC2NodeClass | undefined = [...classes.values()].find(({ metadata }) => metadata.name === name)
      const zone = nodeClass === undefined ? undefined : zoneNames(nodeClass).get(id)
      if (zone === undefined || !reaches(pool, zone, id)) continue
      context.events.publish({
        object: pool,
        type: isShifted ? 'Warning' : 'Normal',
        reason: awsEvents.reason(isShifted ? 'ZonalShiftActive' : 'ZonalShiftCleared'),
        message: isShifted
          ? `traffic was shifted away from zone ${zone} (${id}): no instances are launched there until the shift ends`
          : `the traffic shift away from zone ${zone} (${id}) has ended: instances are launched there again`,
        dedupeValues: [id],
      })
    }
  }

  return {
    name: 'zonalshift',
    sources: [source(pools, () => []), source(classes, () => [])],
    concurrency: 1,
    singleton: true,
    reconcile: async (_key, signal) => {
      await zonalShifts.read(signal)
      const ids = zonalShifts.ids()
      for (const id of ids) if (!published.has(id)) publish(id, true)
      for (const id of published) if (!ids.has(id)) publish(id, false)
      published = ids
      return retryAfter(EVERY)
    },
  }
}
