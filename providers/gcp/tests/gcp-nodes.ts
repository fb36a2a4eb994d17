import { type FakeGcp, gceNode } from '@kerf/provider-gcp/testing'
import type { KubeClient } from '@kerf/runtime'
import { CloudNodes } from '../../../tests/integration/kubelets/cloud-nodes.ts'

/** Simulates the instances of Compute Engine, which register as their metadata defines it. */
export const gcpNodes = (client: KubeClient, gcp: FakeGcp): CloudNodes =>
  new CloudNodes(client, () =>
    gcp.instances
      .all()
      .filter(({ status }) => status === 'RUNNING')
      .map(gceNode),
  )
