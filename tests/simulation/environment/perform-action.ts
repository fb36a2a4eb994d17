import { CLUSTER_POLICY, type KubeObject, karpenterKinds, kinds, policyKinds, type ResourceKind } from '@kerf/apis'
import { GUEST_LABEL } from '../runs/pool-policies.ts'
import type { Action } from '../runs/simulated-run.ts'
import { resourceKind } from './cluster-objects.ts'
import type { Environment } from './environment.ts'
import { picked, tolerating, toObjectRef } from './tolerant-calls.ts'

/** Performs an action on behalf of a user. */
export const performAction = async (environment: Environment, action: Action): Promise<void> => {
  const { admin } = environment
  const remove = (kind: ResourceKind, from: readonly KubeObject[], pick: number): Promise<void> => {
    const object = picked(from, pick)
    return object === undefined ? Promise.resolve() : tolerating(() => admin.delete(kind, toObjectRef(object)))
  }
  const change = (kind: ResourceKind, name: string, body: object): Promise<void> =>
    tolerating(() =>
      admin.patch(kind, kind.namespaced ? { name, namespace: 'default' } : { name }, { type: 'merge', body }),
    )
  switch (action.kind) {
    case 'apply':
      return await tolerating(() => admin.create(resourceKind(action.object), action.object))
    case 'scale':
      return await change(kinds[action.workload], action.name, { spec: { replicas: action.replicas } })
    case 'delete-workload':
      return await tolerating(() => admin.delete(kinds.Deployment, { name: action.name, namespace: 'default' }))
    case 'delete-node':
      return await remove(kinds.Node, environment.nodes(), action.pick)
    case 'delete-claim':
      return await remove(karpenterKinds.NodeClaim, environment.claims(), action.pick)
    case 'delete-pod':
      return await remove(kinds.Pod, environment.pods(), action.pick)
    case 'cordon': {
      const node = picked(environment.nodes(), action.pick)
      if (node === undefined) return
      return await change(kinds.Node, node.metadata.name, { spec: { unschedulable: true } })
    }
    case 'change-pool':
      return await change(karpenterKinds.NodePool, action.name, { spec: action.spec })
    case 'label-namespace':
      return await tolerating(() =>
        admin.patch(
          kinds.Namespace,
          { name: 'default' },
          { type: 'merge', body: { metadata: { labels: { [GUEST_LABEL]: action.value } } } },
        ),
      )
    case 'change-pdb':
      return await change(kinds.PodDisruptionBudget, action.name, { spec: action.spec })
    case 'change-policy':
      return await change(policyKinds.ClusterPolicy, CLUSTER_POLICY, { spec: action.spec })
  }
}
