import { isEqualJson, type Node } from '@kerf/apis'

/** Returns the Node without the fields that change with every report of its kubelet. */
const withoutTimes = ({ metadata, status, ...rest }: Node): unknown => ({
  ...rest,
  metadata: { ...metadata, resourceVersion: '', managedFields: [] },
  status: { ...status, conditions: status?.conditions?.map((condition) => ({ ...condition, lastHeartbeatTime: '' })) },
})

/** Returns whether the two versions of the Node differ only in heartbeat fields. */
export const isOnlyHeartbeat = (before: Node, after: Node): boolean =>
  isEqualJson(withoutTimes(before), withoutTimes(after))
