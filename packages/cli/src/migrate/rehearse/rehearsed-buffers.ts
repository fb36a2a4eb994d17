import { type CapacityBuffer, type Condition, karpenterKinds } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'

/** The state of a CapacityBuffer at the end of a rehearsal. */
export interface RehearsedBuffer {
  /** Name as `NAMESPACE/NAME`. */
  readonly buffer: string
  /** Whether the capacity of the whole buffer is available on nodes. */
  readonly isKept: boolean
  /** The message of the condition that decided `isKept`. */
  readonly why: string
}

const bufferCondition = (buffer: CapacityBuffer, type: string): Condition | undefined =>
  buffer.status?.conditions?.find((each) => each.type === type)

const rehearsed = (buffer: CapacityBuffer): RehearsedBuffer => {
  const { namespace = 'default', name } = buffer.metadata
  const ready = bufferCondition(buffer, 'ReadyForProvisioning')
  const provisioning = bufferCondition(buffer, 'Provisioning')
  const decisive = ready?.status === 'True' ? (provisioning ?? ready) : ready
  return {
    buffer: `${namespace}/${name}`,
    isKept: ready?.status === 'True' && provisioning?.status === 'True',
    why:
      decisive === undefined
        ? 'Kerf has not processed it yet'
        : (decisive.message ?? decisive.reason ?? decisive.status),
  }
}

/** Returns the state of each CapacityBuffer, sorted by name. */
export const rehearsedBuffers = async (client: KubeClient): Promise<readonly RehearsedBuffer[]> => {
  const { items } = await client.list(karpenterKinds.CapacityBuffer)
  return items.map(rehearsed).sort((a, b) => (a.buffer < b.buffer ? -1 : 1))
}

/** Returns a heading and one line for each buffer. Returns no lines if there are no buffers. */
export const bufferLines = (buffers: readonly RehearsedBuffer[]): readonly string[] =>
  buffers.length === 0
    ? []
    : [
        'CapacityBuffers, which Kerf keeps only with the feature gate CapacityBuffer. The rehearsal turns it on:',
        ...buffers.map(({ buffer, isKept, why }) => `  ${buffer}: ${isKept ? 'kept' : 'not kept'}, ${why}`),
      ]
