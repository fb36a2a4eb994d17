import { type FakeGcp, gceNode } from '@kerf/provider-gcp/testing'
import type { KubeClient } from '@kerf/runtime'
import { CloudNodes } from '../../../tests/integration/kubelets/cloud-nodes.ts'

/** Simulates the kubelets of Compute Engine instances. Nodes register as their instance's metadata specifies. */
export const gcpNodes = (client: KubeClient, gcp: FakeGcp): CloudNodes =>
  new CloudNodes(client, () =>
    gcp.instances
      .all()
      .filter(({ status }) => status === 'RUNNING')
      .map(gceNode),
  )
