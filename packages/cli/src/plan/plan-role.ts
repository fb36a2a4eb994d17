import { karpenterKinds } from '@kerf/apis'
import { readerRole } from '../cluster/reader-role.ts'
import {
  POLICIES,
  READ,
  READ_FOR_ADMISSION,
  READ_FOR_BUFFERS,
  READ_FOR_DEVICES,
  READ_IF_ALLOWED,
  READ_IF_ASKED,
} from './read-live-cluster.ts'

/** Returns the ClusterRole, as YAML, for a command that reads a live cluster in the same way as `kerf plan`. */
export const planRole = (name: string): string =>
  readerRole(name, [
    ...READ,
    ...READ_FOR_DEVICES,
    ...READ_IF_ALLOWED,
    ...READ_FOR_ADMISSION,
    ...POLICIES,
    karpenterKinds.CapacityBuffer,
    ...READ_FOR_BUFFERS,
    ...READ_IF_ASKED,
  ])
