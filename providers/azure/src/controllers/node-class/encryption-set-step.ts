import { type Clock, TtlCache } from '@kerf/runtime'
import type { ComputeApi } from '../../api/azure-api.ts'
import { classifyAzureFailure } from '../../failures/azure-failure.ts'
import { bad, good, MINUTE, type Step } from './step.ts'

const TYPE = 'ValidationSucceeded'
const KEPT_FOR = 60 * MINUTE

/**
 * Checks whether Kerf can use the disk encryption set of OS disks, if one is configured
 * (`providers/azure/docs/spec/azure.md#nodeclass-controllers`).
 */
export const encryptionSetStep = (
  compute: Pick<ComputeApi, 'probeDiskEncryptionSet'>,
  clock: Clock,
  { nodeOSDiskEncryptionSetID: id }: { readonly nodeOSDiskEncryptionSetID: string },
): Step => {
  const readable = new TtlCache<string, true>(clock, { ttl: KEPT_FOR })
  return {
    condition: TYPE,
    run: async (_nodeClass, signal) => {
      if (id === '' || readable.has(id)) return { condition: good(TYPE), ...(id !== '' && { again: KEPT_FOR }) }
      try {
        await compute.probeDiskEncryptionSet(id, signal)
        readable.set(id, true)
        return { condition: good(TYPE), again: KEPT_FOR }
      } catch (error) {
        signal.throwIfAborted()
        const { class: kind, code, message } = classifyAzureFailure(error)
        const description = `disk encryption set ${id} (${code}: ${message})`
        if (kind === 'unauthorized' || kind === 'credentials')
          return {
            condition: bad(
              TYPE,
              'DiskEncryptionSetRBACMissing',
              `the controller is not authorized to read ${description}; assign the role Reader on it to the controller identity`,
            ),
            again: MINUTE,
          }
        if (kind === 'not-found')
          return {
            condition: bad(
              TYPE,
              'DiskEncryptionSetNotFound',
              `${description}; correct NODE_OSDISK_DISKENCRYPTIONSET_ID`,
            ),
            again: MINUTE,
          }
        throw error
      }
    },
  }
}
