import { labels, type NodePool, type NodePoolPolicy, type Taint } from '@kerf/apis'
import { type AttachedPolicies, hardTaints, poolAccess } from '@kerf/controllers'
import type { PoolAccess } from '@kerf/engine'
import { mayUseExpression, selectsExpression, toleratesExpression } from './fence-conditions.ts'

/** The namespaces in which pods are never refused, unless the user names others. */
export const EXEMPT_NAMESPACES: readonly string[] = ['kube-system']

/** A NodePool that only some pods may use, with the taints that other pods would have to tolerate. */
export interface FencedPool {
  readonly pool: NodePool
  readonly policy: NodePoolPolicy
  readonly access: PoolAccess
  /** Empty if the NodePool has no taint. Such a NodePool cannot have a fence. */
  readonly taints: readonly Taint[]
}

/** Returns the NodePools that only some pods may use, by name. */
export const fencedPools = (attached: AttachedPolicies, pools: readonly NodePool[]): readonly FencedPool[] => {
  const access = poolAccess(attached)
  return pools
    .flatMap((pool): readonly FencedPool[] => {
      const { name } = pool.metadata
      const policy = attached.applied.access.get(name)
      const own = access.get(name)
      return policy === undefined || own === undefined ? [] : [{ pool, policy, access: own, taints: hardTaints(pool) }]
    })
    .sort((a, b) => (a.pool.metadata.name < b.pool.metadata.name ? -1 : 1))
}

/**
 * Returns the labels by which a pod can choose the NodePool: the label with the name of the NodePool, and the labels of its template that
 * no other NodePool has.
 */
const ownLabels = (pool: NodePool, pools: readonly NodePool[]): readonly (readonly [string, string])[] => [
  [labels.nodePool, pool.metadata.name],
  ...Object.entries(pool.spec.template.metadata?.labels ?? {}).filter(
    ([key, value]) => !pools.some((other) => other !== pool && templateLabel(other, key) === value),
  ),
]

const templateLabel = ({ spec }: NodePool, key: string): string | undefined =>
  Object.entries(spec.template.metadata?.labels ?? {}).find(([name]) => name === key)?.[1]

/**
 * Returns an admission policy and its binding (`docs/spec/policies.md#the-fence`). They apply to pods that are not allowed to use the
 * NodePool. The API server refuses such a pod if it tolerates all of the NodePool's taints, selects the NodePool by name or by a label that
 * no other NodePool has, or names a node.
 */
export const fence = (
  { pool, policy, access, taints }: FencedPool,
  pools: readonly NodePool[],
  exemptNamespaces: readonly string[],
): readonly object[] => {
  const { name } = pool.metadata
  const metadata = {
    name: `kerf-fence-${name}`,
    labels: { 'app.kubernetes.io/managed-by': 'kerf' },
    annotations: { 'kerf.sh/nodepoolpolicy': policy.metadata.name },
  }
  const refuse = (condition: string, what: string): object => ({
    expression: `variables.mayUse || !(${condition})`,
    message: `NodePool "${name}" is not open to this pod (NodePoolPolicy "${policy.metadata.name}"): ${what}`,
    reason: 'Forbidden',
  })
  return [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['pods'] },
          ],
        },
        matchConditions: [
          {
            name: 'namespace-is-not-exempt',
            expression: `!(request.namespace in ${JSON.stringify(exemptNamespaces)})`,
          },
          // Do not refuse pods from kubelets: they create mirror pods for static pods, which tolerate every taint.
          { name: 'sender-is-no-kubelet', expression: '!("system:nodes" in request.userInfo.groups)' },
          { name: 'spec-changes', expression: 'request.operation == "CREATE" || object.spec != oldObject.spec' },
        ],
        variables: [{ name: 'mayUse', expression: mayUseExpression(access) }],
        validations: [
          refuse(toleratesExpression(taints), 'its tolerations include all taints of the NodePool'),
          refuse(selectsExpression(ownLabels(pool, pools)), 'its node selector or node affinity selects the NodePool'),
          refuse(
            'request.operation == "CREATE" && has(object.spec.nodeName) && object.spec.nodeName != ""',
            'it sets spec.nodeName, which ignores taints',
          ),
        ],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: metadata.name, validationActions: ['Deny'] },
    },
  ]
}
