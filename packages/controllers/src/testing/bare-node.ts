import { kinds } from '@kerf/apis'
import type { Harness } from './harness/index.ts'

/** Creates the Node of a claim directly, without a provider. */
export const bareNode = async (
  harness: Harness,
  name = 'bare',
  resources: { capacity?: Record<string, string>; allocatable?: Record<string, string> } = {},
  extraTaints: readonly { key: string; effect: 'NoSchedule' | 'NoExecute'; value?: string }[] = [],
) => {
  const claim = await harness.readClaim()
  const status = { capacity: { cpu: '4' }, allocatable: { cpu: '4' }, ...resources }
  await harness.admin.create(kinds.Node, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: { providerID: claim?.status?.providerID ?? '', taints: [...extraTaints] },
    status: { ...status, conditions: [{ type: 'Ready', status: 'True' }] },
  })
}
