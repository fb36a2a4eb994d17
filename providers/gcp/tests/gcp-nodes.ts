import type { Node } from '@kerf/apis'
import { type FakeGcp, gceNode } from '@kerf/provider-gcp/testing'
import type { KubeClient } from '@kerf/runtime'
import { CloudNodes } from '../../../tests/integration/kubelets/cloud-nodes.ts'

/** Returns the Nodes of the running instances, as they register. */
export const runningNodes = (gcp: FakeGcp): readonly Node[] =>
  gcp.instances
    .all()
    .filter(({ status }) => status === 'RUNNING')
    .map(gceNode)

/** Simulates the kubelets of Compute Engine instances. Nodes register as their instance's metadata specifies. */
export const gcpNodes = (client: KubeClient, gcp: FakeGcp): CloudNodes =>
  new CloudNodes(client, () => runningNodes(gcp))
