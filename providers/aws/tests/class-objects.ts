import { karpenterKinds, kinds, type Pod } from '@kerf/apis'
import { type EC2NodeClassSpec, ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import { ec2NodeClass } from '@kerf/provider-aws/testing/node-class'
import type { KubeClient } from '@kerf/runtime'
import { pod } from '@kerf/testing'
import { nodePool } from './node-pool.ts'

const discovery = { 'karpenter.sh/discovery': 'demo' }
/** A node class spec that becomes ready in the fake account. */
export const goodSpec: EC2NodeClassSpec = {
  role: 'KarpenterNodeRole-demo',
  amiSelectorTerms: [{ alias: 'al2023@latest' }],
  subnetSelectorTerms: [{ tags: discovery }],
  securityGroupSelectorTerms: [{ tags: discovery }],
}

export const createClass = (client: KubeClient, name: string, spec: EC2NodeClassSpec) =>
  client.create(ec2NodeClassKind, ec2NodeClass(name, { spec }))

/** Creates a NodePool that references the node class of the same name. */
export const createPool = (client: KubeClient, name: string) => {
  const pool = nodePool()
  const { template } = pool.spec
  const nodeClassRef = { ...template.spec.nodeClassRef, name }
  return client.create(karpenterKinds.NodePool, {
    ...pool,
    metadata: { name },
    spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } },
  })
}

/** Creates a pod that only nodes of the NodePool can run. */
export const createPod = (client: KubeClient, pool: string, name = `for-${pool}`) =>
  client.create(
    kinds.Pod,
    pod(name, { requests: { cpu: '1500m' }, spec: { nodeSelector: { 'karpenter.sh/nodepool': pool } } }),
  )

export const isRunning = async (client: KubeClient, name: string): Promise<boolean> => {
  const pod: Pod = await client.get(kinds.Pod, { namespace: 'default', name })
  return pod.status?.phase === 'Running'
}

/** Returns the messages of the events about a node class. */
export const listEventReasons = async (
  client: KubeClient,
  className: string,
): Promise<readonly (string | undefined)[]> =>
  (await client.list(kinds.Event)).items
    .filter(({ involvedObject: about }) => about?.kind === 'EC2NodeClass' && about.name === className)
    .map(({ message }) => message)
