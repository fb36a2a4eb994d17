import { parseQuantity } from '@kerf/apis'
import { type Check, foundAny, undecided } from '../check.ts'
import { objectName } from '../object-name.ts'

const GIB = 1024n ** 3n * 1_000_000_000n
/** The table of docs/sizing.md: the memory that a controller of so many pods is given. */
const TABLE: readonly (readonly [pods: number, memory: bigint, shown: string])[] = [
  [9_000, GIB / 2n, '512Mi'],
  [60_000, GIB, '1Gi'],
  [150_000, 2n * GIB, '2Gi'],
]

export const ctl005: Check = {
  id: 'CTL-005',
  group: 'controller',
  severity: 'warning',
  title: 'Too little memory for the cluster, or a CPU limit',
  why: 'The controller mirrors all pods and nodes in memory; what is too small for the cluster is killed again and again. A CPU limit makes decisions late. docs/sizing.md has the table and what was measured.',
  reads: ['Deployment', 'Pod'],
  examine({ controllers, pods }) {
    if (controllers.length === 0) return undecided('no Deployment of Kerf or Karpenter was found')
    const [, needed, shown] = TABLE.find(([most]) => pods.length <= most) ?? [0, 2n * GIB, '2Gi']
    const problems = controllers.flatMap((deployment) => {
      const lacks = deployment.spec.template.spec.containers.flatMap(({ resources }) => {
        const { memory, cpu } = resources?.limits ?? {}
        return [
          ...(memory !== undefined && parseQuantity(memory) < needed
            ? [`a memory limit of ${memory} for ${pods.length} pods`]
            : []),
          ...(cpu !== undefined ? [`a CPU limit of ${cpu}`] : []),
        ]
      })
      return lacks.length === 0 ? [] : [{ object: objectName(deployment), lacks }]
    })
    return foundAny(
      problems.map(({ object }) => object),
      {
        seen: problems.map(({ object, lacks }) => `${object} has ${lacks.join(' and ')}`).join('; '),
        remedy: `controller.resources in the chart: memory ${shown} as request and limit, no CPU limit`,
      },
      `memory is enough for ${pods.length} pods, and there is no CPU limit`,
    )
  },
}
