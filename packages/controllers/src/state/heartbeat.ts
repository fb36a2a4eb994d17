import { isEqualJson, type Node } from '@kerf/apis'

/** Returns the Node without the fields that change in every report of its kubelet. */
const withoutTimes = ({ metadata, status, ...rest }: Node): unknown => ({
  ...rest,
  metadata: { ...metadata, resourceVersion: '', managedFields: [] },
  status: { ...status, conditions: status?.conditions?.map((condition) => ({ ...condition, lastHeartbeatTime: '' })) },
})

/** Returns whether only the heartbeat of the Node has changed. */
export const isOnlyHeartbeat = (before: Node, after: Node): boolean =>
  isEqualJson(withoutTimes(before), withoutTimes(after))
