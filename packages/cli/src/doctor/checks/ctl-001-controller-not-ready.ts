import { labels, type Pod } from '@kerf/apis'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const ctl001: Check = {
  id: 'CTL-001',
  group: 'controller',
  severity: 'critical',
  title: 'Controller that is not ready, or runs on nodes that it manages',
  why: 'Without a ready replica no node is launched. A replica on a node of a NodePool may disrupt itself, and a faulty NodePool can take the controller down.',
  reads: ['Deployment', 'Pod', 'Node'],
  examine({ controllers, workloads, managedNodes }) {
    if (controllers.length === 0) return undecided('no Deployment of Kerf or Karpenter was found')
    const managed = new Set(managedNodes.map(({ metadata }) => metadata.name))
    const problems = controllers.flatMap((deployment) => {
      const wanted = deployment.spec.replicas ?? 1
      const ready = deployment.status?.readyReplicas ?? 0
      const { namespace = 'default', name } = deployment.metadata
      const pods =
        workloads.find((each) => each.kind === 'Deployment' && each.namespace === namespace && each.name === name)
          ?.pods ?? []
      const onOwn = pods.filter(({ spec }: Pod) => managed.has(spec.nodeName ?? ''))
      return [
        ...(wanted > 0 && ready < wanted
          ? [{ object: objectName(deployment), text: `${ready} of ${wanted} replicas are ready` }]
          : []),
        ...onOwn.map((pod) => ({
          object: objectName(pod),
          text: `runs on node ${pod.spec.nodeName} of a NodePool`,
        })),
      ]
    })
    return foundAny(
      problems.map(({ object }) => object),
      {
        seen: problems.map(({ object, text }) => `${object}: ${text}`).join('; '),
        remedy: `kubectl describe the pods that are not ready; require ${labels.nodePool} DoesNotExist in the node affinity of the controller`,
      },
      'every replica is ready and runs outside of NodePools',
    )
  },
}
