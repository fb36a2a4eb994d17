import { type CapacityBuffer, type Condition, formatTime, type Milliseconds } from '@kerf/apis'

export interface BufferCondition {
  readonly type: 'ReadyForProvisioning' | 'Provisioning'
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/** Returns the buffer's conditions with this condition set. No other condition depends on it. */
export const withBufferCondition = (
  buffer: CapacityBuffer,
  change: BufferCondition,
  now: Milliseconds,
): readonly Condition[] => {
  const present = buffer.status?.conditions ?? []
  const before = present.find(({ type }) => type === change.type)
  const next: Condition = {
    ...change,
    lastTransitionTime:
      before?.status === change.status && before.lastTransitionTime !== undefined
        ? before.lastTransitionTime
        : formatTime(now),
    ...(buffer.metadata.generation === undefined ? {} : { observedGeneration: buffer.metadata.generation }),
  }
  const isSame =
    before !== undefined &&
    before.status === next.status &&
    before.reason === next.reason &&
    before.message === next.message &&
    before.observedGeneration === next.observedGeneration
  if (isSame) return present
  return before === undefined
    ? [...present, next]
    : present.map((condition) => (condition.type === change.type ? next : condition))
}

export const isReadyForProvisioning = (buffer: CapacityBuffer): boolean =>
  buffer.status?.conditions?.some(({ type, status }) => type === 'ReadyForProvisioning' && status === 'True') ?? false

/** Returns whether some replicas of the buffer had no node after the provisioner's last pass. */
export const isWaitingForNodes = (buffer: CapacityBuffer | undefined): boolean =>
  buffer?.status?.conditions?.some(({ type, reason }) => type === 'Provisioning' && reason === 'RequiresNewCapacity') ??
  false
