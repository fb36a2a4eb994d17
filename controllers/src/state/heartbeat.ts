import { isEqualJson, type Node } from '@kerf/apis'

/** The Node without what every report of its kubelet changes. */
const withoutTimes = ({ metadata, status, ...rest }: Node): unknown => ({
  ...rest,
  metadata: { ...metadata, resourceVersion: '', managedFields: [] },
  status: { ...status, conditions: status?.conditions?.map((condition) => ({ ...condition, lastHeartbeatTime: '' })) },
})

/** Whether the Node was written only to say that its kubelet lives: whatever else is different makes it another. */
export const isOnlyHeartbeat = (before: Node, after: Node): boolean =>
  isEqualJson(withoutTimes(before), withoutTimes(after))
