import { kinds, labels, type NodePool } from '@kerf/apis'
import { LabelRules } from '@kerf/engine'
import { foundAny } from '@kerf/provider-kit/doctor'
import type { Audit } from '../audit.ts'
import type { Check } from '../check.ts'
import { nameOfWorkload, type Workload } from '../workload.ts'

/** Returns the zones in which the NodePool can launch nodes. */
const zonesOf = (audit: Audit, pool: NodePool): ReadonlySet<string> => {
  const offered = (audit.typesOf(pool) ?? []).flatMap(({ offerings }) =>
    offerings.flatMap(({ requirements }) => requirements.find(({ key }) => key === labels.zone)?.values ?? []),
  )
  const asked = new LabelRules(audit.vocabulary).requirements(pool.spec.template.spec.requirements).get(labels.zone)
  return new Set(offered.filter((zone) => asked.has(zone)))
}

/** Returns the zones of each volume of the workload that is bound to zones. */
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
            // Drivers that Kerf does not know use the same zone names as the cloud.
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
  title: 'Volumes in zones that no NodePool serves',
  why: 'A volume of one zone can be mounted there only. When every NodePool that could run its pod is in other zones, the pod is pending for ever once its node is gone.',
  reads: ['NodePool', 'PersistentVolume', 'PersistentVolumeClaim'],
  examine(audit) {
    const { workloads, serving, nodePools } = audit
    const tied = workloads.filter((workload) => {
      const volumes = zonesOfVolumes(audit, workload)
      const names = serving.poolsFor(workload)
      const pools = nodePools.filter(({ metadata }) => names.includes(metadata.name))
      if (volumes.length === 0 || pools.length === 0) return false
      return pools.every((pool) => {
        const zones = zonesOf(audit, pool)
        return volumes.some((own) => !own.some((zone) => zones.has(zone)))
      })
    })
    return foundAny(
      tied.map(nameOfWorkload),
      {
        seen: 'its volume is in a zone in which no NodePool that could run it launches nodes',
        remedy:
          'add the zone to the NodePool (topology.kubernetes.io/zone in its requirements, a subnet of it in the node class)',
      },
      'every volume is in a zone that a NodePool serves',
    )
  },
}
