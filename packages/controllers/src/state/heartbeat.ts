import { isEqualJson, type Node } from '@kerf/apis'

/** Returns the Node without the fields that every report of its kubelet changes. */
const withoutTimes = ({ metadata, status, ...rest }: Node): unknown => ({
  ...rest,
  metadata: { ...metadata, resourceVersion: '', managedFields: [] },
  status: { ...status, conditions: status?.conditions?.map((condition) => ({ ...condition, lastHeartbeatTime: '' })) },
})

/** Returns whether the Node changed only in its heartbeat. */
export const isOnlyHeartbeat = (before: Node, after: Node): boolean =>
  isEqualJson(withoutTimes(before), withoutTimes(after))
