import { parseQuantity } from '@kerf/apis'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

const GIB = 1024n ** 3n * 1_000_000_000n
const CPU = 1_000_000_000n

interface Size {
  /** The maximum number of pods for which this size is enough. */
  readonly pods: number
  readonly memory: bigint
  readonly cpu: bigint
  readonly shown: { readonly memory: string; readonly cpu: string }
}

/** The table in docs/sizing.md: the controller's resources by number of pods. */
const TABLE: readonly Size[] = [
  { pods: 9_000, memory: GIB / 2n, cpu: CPU / 2n, shown: { memory: '512Mi', cpu: '500m' } },
  { pods: 60_000, memory: GIB, cpu: CPU, shown: { memory: '1Gi', cpu: '1' } },
]
const LARGEST: Size = { pods: 150_000, memory: 2n * GIB, cpu: 2n * CPU, shown: { memory: '2Gi', cpu: '2' } }

export const ctl005: Check = {
  id: 'CTL-005',
  group: 'controller',
  severity: 'warning',
  title: 'Limits of the controller that are too small for the cluster',
  why: 'The controller keeps all pods and nodes in memory. If its memory limit is too small for the cluster, it is OOM-killed repeatedly. A CPU limit that is too small delays decisions. docs/sizing.md has the sizes and measurements.',
  reads: ['Deployment', 'Pod'],
  examine({ controllers, pods }) {
    if (controllers.length === 0) return undecided('no Deployment of Kerf or Karpenter was found')
    const needed = TABLE.find((size) => pods.length <= size.pods) ?? LARGEST
    const problems = controllers.flatMap((deployment) => {
      const lacks = deployment.spec.template.spec.containers.flatMap(({ resources }) => {
        const { memory, cpu } = resources?.limits ?? {}
        return [
          ...(memory !== undefined && parseQuantity(memory) < needed.memory ? [`a memory limit of ${memory}`] : []),
          ...(cpu !== undefined && parseQuantity(cpu) < needed.cpu ? [`a CPU limit of ${cpu}`] : []),
        ]
      })
      return lacks.length === 0 ? [] : [{ object: objectName(deployment), lacks }]
    })
    return foundAny(
      problems.map(({ object }) => object),
      {
        seen: problems
          .map(({ object, lacks }) => `${object} has ${lacks.join(' and ')} for ${pods.length} pods`)
          .join('; '),
        remedy: `controller.resources in the chart: memory ${needed.shown.memory} as request and limit, a CPU request of ${needed.shown.cpu} and no CPU limit`,
      },
      `the limits are enough for ${pods.length} pods`,
    )
  },
}
