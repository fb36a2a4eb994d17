import { groupVersion, kinds, type Node, type Pod } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import type { KubeClient } from '@kerf/runtime'

/** Creates a settled cluster: nodes that Kerf does not manage, pods on them, and a KWOKNodeClass. */
export const fillCluster = async (client: KubeClient, nodes: number, podsEach: number): Promise<void> => {
  for (let place = 0; place < nodes; place++) {
    const name = `node-${place}`
    const resources = { cpu: '8', memory: '32Gi', pods: '110' }
    const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {} }
    await client.create(kinds.Node, node)
    const status = {
      capacity: resources,
      allocatable: resources,
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' }],
    }
    await client.patch(kinds.Node, { name }, { type: 'merge', body: { status } }, { subresource: 'status' })
    for (let nth = 0; nth < podsEach; nth++) {
      const pod: Pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `pod-${place}-${nth}`, namespace: 'default', labels: { app: `app-${nth}` } },
        spec: {
          nodeName: name,
          containers: [{ name: 'app', image: 'app', resources: { requests: { cpu: '500m', memory: '1Gi' } } }],
        },
      }
      await client.create(kinds.Pod, pod)
    }
  }
  await client.create(kwokNodeClassKind, {
    apiVersion: groupVersion(kwokNodeClassKind),
    kind: 'KWOKNodeClass',
    metadata: { name: 'default' },
    spec: {},
  })
}
