import { type KubeObject, type Pod, parseQuantity, parseResources } from '@kerf/apis'
import type { Environment } from '../../environment/environment.ts'
import { simulatedPool } from '../../runs/pools.ts'
import type { Story } from '../story.ts'
import { apply, deployment, storyRun } from './objects.ts'

const disruption = { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s', budgets: [{ nodes: '100%' }] } as const
const metadata = { name: 'spare', namespace: 'default' }
const CPU = '1500m'

const objects: readonly KubeObject[] = [
  {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata,
    ...{
      template: {
        metadata: { labels: { app: 'spare' } },
        spec: { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: CPU, memory: '256Mi' } } }] },
      },
    },
  },
  {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata,
    ...{ spec: { podTemplateRef: { name: metadata.name }, replicas: 1 } },
  },
]

const podCpu = ({ spec }: Pod): bigint =>
  spec.containers.reduce((sum, { resources }) => sum + (parseResources(resources?.requests)['cpu'] ?? 0n), 0n)

const hasFreeCapacity = (environment: Environment): boolean =>
  environment.nodes().some(({ metadata: { name }, status }) => {
    const own = environment.pods().filter(({ spec }) => spec.nodeName === name)
    const free = own.reduce((left, pod) => left - podCpu(pod), parseResources(status?.allocatable)['cpu'] ?? 0n)
    return free >= parseQuantity(CPU)
  })

/** A capacity buffer keeps capacity free for one pod. When a pod takes that capacity, Kerf launches capacity for the next pod. */
export const buffer: Story = {
  name: 'buffer',
  run: storyRun(109, { objects, pools: [simulatedPool('open', { disruption })] }, [
    [45_000, apply(deployment('web', { cpu: CPU, replicas: 1 }))],
  ]),
  most: 2,
  missing: (environment) => [
    ...(environment.pods().length === 1 ? [] : [`there are ${environment.pods().length} pods, not 1`]),
    ...(hasFreeCapacity(environment) ? [] : ['no node has the free capacity that the buffer asks for']),
  ],
}
