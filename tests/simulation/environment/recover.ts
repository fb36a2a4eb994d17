import { annotations, karpenterKinds, kinds, policyKinds, type ResourceKind } from '@kerf/apis'
import type { Environment } from './environment.ts'
import { holdDisks } from './held-disks.ts'
import { tolerating, toObjectRef } from './tolerant-calls.ts'

/** Performs the repairs that an on-call engineer would perform. Afterwards the cluster must settle without help. */
export const recover = async (environment: Environment): Promise<void> => {
  environment.clearFaults()
  await holdDisks(environment, false)
  for (const { metadata } of environment.nodes()) environment.setHealth(metadata.name, 'healthy')
  await openBudgets(environment)
  await stopExpiration(environment)
  await allowDisruption(environment)
  await deletePolicies(environment)
}

/** Deletes the policies. Otherwise, ceilings would keep pods pending forever. */
const deletePolicies = async (environment: Environment): Promise<void> => {
  const policies: readonly ResourceKind[] = Object.values(policyKinds)
  for (const kind of policies)
    for (const each of environment.list(kind)) await tolerating(() => environment.admin.delete(kind, toObjectRef(each)))
}

const openBudgets = async (environment: Environment): Promise<void> => {
  const body = { spec: { maxUnavailable: 1 } }
  for (const each of environment.list(kinds.PodDisruptionBudget))
    await tolerating(() =>
      environment.admin.patch(kinds.PodDisruptionBudget, toObjectRef(each), { type: 'merge', body }),
    )
}

/** Removes short expiry times: with nodes that expire every few minutes, the cluster would never settle. */
const stopExpiration = async (environment: Environment): Promise<void> => {
  const body = { spec: { template: { spec: { expireAfter: 'Never' } } } }
  for (const pool of environment.nodePools()) {
    if (pool.spec.template.spec.expireAfter === 'Never') continue
    await tolerating(() => environment.admin.patch(karpenterKinds.NodePool, toObjectRef(pool), { type: 'merge', body }))
  }
}

/** Removes do-not-disrupt from pods, because such pods would block the deletion of a node forever. */
const allowDisruption = async (environment: Environment): Promise<void> => {
  const { admin } = environment
  const open = { metadata: { annotations: { [annotations.doNotDisrupt]: null } } }
  const body = { spec: { template: open } }
  for (const kind of [kinds.Deployment, kinds.StatefulSet] as const)
    for (const each of environment.list(kind))
      await tolerating(() => admin.patch(kind, toObjectRef(each), { type: 'merge', body }))
  for (const pod of environment.pods()) {
    if (pod.metadata.annotations?.[annotations.doNotDisrupt] === undefined) continue
    await tolerating(() => admin.patch(kinds.Pod, toObjectRef(pod), { type: 'merge', body: open }))
  }
}
