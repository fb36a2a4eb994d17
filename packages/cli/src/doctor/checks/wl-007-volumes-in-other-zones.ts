import { kinds, labels, type NodePool } from '@kerf/apis'
import { LabelRules } from '@kerf/engine'
import { foundAny } from '@kerf/provider-kit/doctor'
import type { Audit } from '../audit.ts'
import type { Check } from '../check.ts'
import { nameOfWorkload, type Workload } from '../workload.ts'

/** Returns the zones in which the NodePool can launch nodes. */
const poolZones = (audit: Audit, pool: NodePool): ReadonlySet<string> => {
  const offered = (audit.typesOf(pool) ?? []).flatMap(({ offerings }) =>
    offerings.flatMap(({ requirements }) => requirements.find(({ key }) => key === labels.zone)?.values ?? []),
  )
  const asked = new LabelRules(audit.vocabulary).requirements(pool.spec.template.spec.requirements).get(labels.zone)
  return new Set(offered.filter((zone) => asked.has(zone)))
}

/** Returns the zones of each volume of the workload. Volumes that are usable in every zone are left out. */
const zonesOfVolumes = (
  { objects, vocabulary }: Audit,
  { pods, pod, namespace }: Workload,
): readonly (readonly string[])[] => {
  const claims = new Set(
    (pods.length > 0 ? pods : [pod]).flatMap(({ spec }) =>
      (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []),
    ),
  )
  return objects
    .of(kinds.PersistentVolumeClaim)
    .filter(({ metadata }) => metadata.namespace === namespace && claims.has(metadata.name))
    .flatMap(({ spec }) => {
      const volume = objects.of(kinds.PersistentVolume).find(({ metadata }) => metadata.name === spec?.volumeName)
      const zones = (volume?.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap(
        ({ matchExpressions = [] }) =>
          matchExpressions
            // If Kerf has no entry for a volume driver, it assumes that the driver's zone label uses the cloud's zone names.
            .filter(
              ({ key, operator }) =>
                operator === 'In' && (vocabulary.normalize(key) === labels.zone || key.endsWith('/zone')),
            )
            .flatMap(({ key, values = [] }) => values.map((value) => vocabulary.valueOf(key, value))),
      )
      return zones.length === 0 ? [] : [zones]
    })
}

export const wl007: Check = {
  id: 'WL-007',
  group: 'workloads',
  severity: 'critical',
  title: 'Volumes in zones without a NodePool',
  why: 'A zonal volume can be mounted only in its zone. If every NodePool that could run the pod is in other zones, the pod stays pending forever once its node is gone.',
  reads: ['NodePool', 'PersistentVolume', 'PersistentVolumeClaim'],
  examine(audit) {
    const { workloads, serving, nodePools } = audit
    const tied = workloads.filter((workload) => {
      const volumes = zonesOfVolumes(audit, workload)
      const names = serving.poolsFor(workload)
      const pools = nodePools.filter(({ metadata }) => names.includes(metadata.name))
      if (volumes.length === 0 || pools.length === 0) return false
      return pools.every((pool) => {
        const zones = poolZones(audit, pool)
        return volumes.some((own) => !own.some((zone) => zones.has(zone)))
      })
    })
    return foundAny(
      tied.map(nameOfWorkload),
      {
        seen: 'the NodePools that could run it launch no nodes in the zone of its volume',
        remedy:
          'add the zone to the NodePool (topology.kubernetes.io/zone in its requirements, a subnet in the node class)',
      },
      'every volume is in a zone of a NodePool',
    )
  },
}
