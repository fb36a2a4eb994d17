import { isActive, type KubeObject, kinds, ownValue } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

interface Webhook {
  readonly failurePolicy?: string
  readonly rules?: readonly { readonly resources?: readonly string[]; readonly apiGroups?: readonly string[] }[]
  readonly clientConfig?: { readonly service?: { readonly namespace?: string; readonly name?: string } }
}

const CONCERNED: ReadonlySet<string> = new Set(['pods', 'nodes', 'nodeclaims', '*', '*/*'])

const objectWebhooks = (object: KubeObject): readonly Webhook[] =>
  (object as unknown as { readonly webhooks?: readonly Webhook[] }).webhooks ?? []

export const ctl008: Check = {
  id: 'CTL-008',
  group: 'controller',
  severity: 'critical',
  title: 'Webhooks that block pod creation if their nodes are lost',
  why: 'A webhook with failurePolicy Fail for pods, nodes or NodeClaims has all its backends on nodes of NodePools. If these nodes are lost, no pod can be created, so no node is launched for the backend.',
  reads: ['Pod', 'Node', 'Service'],
  examine({ objects, managedNodes }) {
    const managed = new Set(managedNodes.map(({ metadata }) => metadata.name))
    const closing = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration']
      .flatMap((kind) => objects.named(kind))
      .filter((configuration) =>
        objectWebhooks(configuration).some(({ failurePolicy = 'Fail', rules = [], clientConfig }) => {
          const isConcerned = rules.some(({ resources = [] }) => resources.some((each) => CONCERNED.has(each)))
          const reference = clientConfig?.service
          if (failurePolicy !== 'Fail' || !isConcerned || reference === undefined) return false
          const service = objects
            .of(kinds.Service)
            .find(({ metadata }) => metadata.name === reference.name && metadata.namespace === reference.namespace)
          const selector = Object.entries(service?.spec.selector ?? {})
          if (selector.length === 0) return false
          const backends = objects
            .of(kinds.Pod)
            .filter(
              (pod) =>
                isActive(pod) &&
                pod.metadata.namespace === reference.namespace &&
                selector.every(([key, value]) => ownValue(pod.metadata.labels, key) === value),
            )
          return backends.length > 0 && backends.every(({ spec }) => managed.has(spec.nodeName ?? ''))
        }),
      )
    return foundAny(
      closing.map(objectName),
      {
        seen: 'failurePolicy is Fail, and every backend runs on a node of a NodePool',
        remedy:
          'run the backends outside of NodePools (node affinity: karpenter.sh/nodepool DoesNotExist), or set failurePolicy: Ignore',
      },
      'no webhook with failurePolicy Fail depends only on nodes of NodePools',
    )
  },
}
